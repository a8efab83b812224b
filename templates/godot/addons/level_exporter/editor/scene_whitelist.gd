@tool
extends RefCounted
## Lists what the scene of a level may contain. Blobs are untrusted, so their scenes may have only
## these classes and properties. None of them runs code, opens a window or a
## connection, or names a file other than a TileSet of this game and the files beside the blob. The
## game's own scenes are instanced only if the settings of the import, which are not in the blob,
## name them.

## The class of a node with the addon's own script for large levels.
const CHUNKS := "LevelChunks"
## The class of an instance of a scene of the game.
const INSTANCE := "SceneInstance"

## By class of node: the properties with their types.
const NODES := {
	"Node2D": {
		"position": TYPE_VECTOR2,
		"visible": TYPE_BOOL,
		"light_mask": TYPE_INT,
		"modulate": TYPE_COLOR,
		"self_modulate": TYPE_COLOR,
		"show_behind_parent": TYPE_BOOL,
		"texture_filter": TYPE_INT,
		"texture_repeat": TYPE_INT,
		"visibility_layer": TYPE_INT,
		"y_sort_enabled": TYPE_BOOL,
		"z_as_relative": TYPE_BOOL,
		"z_index": TYPE_INT,
	},
	"TileMapLayer": {
		"position": TYPE_VECTOR2,
		"visible": TYPE_BOOL,
		"light_mask": TYPE_INT,
		"modulate": TYPE_COLOR,
		"self_modulate": TYPE_COLOR,
		"show_behind_parent": TYPE_BOOL,
		"texture_filter": TYPE_INT,
		"texture_repeat": TYPE_INT,
		"visibility_layer": TYPE_INT,
		"y_sort_enabled": TYPE_BOOL,
		"z_as_relative": TYPE_BOOL,
		"z_index": TYPE_INT,
		"tile_map_data": TYPE_ARRAY,
		"collision_enabled": TYPE_BOOL,
		"collision_visibility_mode": TYPE_INT,
		"enabled": TYPE_BOOL,
		"navigation_enabled": TYPE_BOOL,
		"navigation_visibility_mode": TYPE_INT,
		"occlusion_enabled": TYPE_BOOL,
		"rendering_quadrant_size": TYPE_INT,
		"use_kinematic_bodies": TYPE_BOOL,
		"x_draw_order_reversed": TYPE_BOOL,
		"y_sort_origin": TYPE_INT,
	},
	"StaticBody2D": {"collision_layer": TYPE_INT, "collision_mask": TYPE_INT},
	"CollisionShape2D": {"position": TYPE_VECTOR2},
	"LightOccluder2D": {"sdf_collision": TYPE_BOOL, "occluder_light_mask": TYPE_INT},
	"NavigationRegion2D": {"use_edge_connections": TYPE_BOOL, "navigation_layers": TYPE_INT},
	"Marker2D": {"position": TYPE_VECTOR2},
	"Sprite2D": {"texture_filter": TYPE_INT, "scale": TYPE_VECTOR2, "centered": TYPE_BOOL},
	INSTANCE: {"position": TYPE_VECTOR2, "variables": TYPE_DICTIONARY},
	CHUNKS: {
		"chunk_side": TYPE_INT,
		"size": TYPE_VECTOR2I,
		"tile_size": TYPE_INT,
		"columns": TYPE_INT,
		"chunks": TYPE_ARRAY,
		"solids": TYPE_ARRAY,
		"regions": TYPE_ARRAY,
		"tile_places": TYPE_PACKED_BYTE_ARRAY,
		"collision_layer": TYPE_INT,
		"collision_mask": TYPE_INT,
		"navigation_layers": TYPE_INT,
		"occluder_light_mask": TYPE_INT,
	},
}
## Properties of a large level that may be missing.
const OPTIONAL: Array[String] = [
	"tile_places", "collision_layer", "collision_mask", "navigation_layers", "occluder_light_mask"
]

## By class of node: the properties that are resources, with their classes.
const RESOURCES_OF_NODES := {
	"TileMapLayer": {"tile_set": "TileSet"},
	"CollisionShape2D": {"shape": "RectangleShape2D"},
	"LightOccluder2D": {"occluder": "OccluderPolygon2D"},
	"NavigationRegion2D": {"navigation_polygon": "NavigationPolygon"},
	"Sprite2D": {"texture": "Texture2D"},
	INSTANCE: {"scene": "PackedScene"},
	CHUNKS: {"tile_set": "TileSet"},
}

## In an isometric scene: the class of the shapes.
const ISOMETRIC_SHAPE := "ConvexPolygonShape2D"

## By class of resource inside of the scene: the properties with their types.
const RESOURCES := {
	"RectangleShape2D": {"size": TYPE_VECTOR2},
	"ConvexPolygonShape2D": {"points": TYPE_PACKED_VECTOR2_ARRAY},
	"OccluderPolygon2D": {"polygon": TYPE_PACKED_VECTOR2_ARRAY},
	"NavigationPolygon": {"vertices": TYPE_PACKED_VECTOR2_ARRAY, "polygons": TYPE_ARRAY},
}

## By class of resource in a file beside the blob: how the file's name ends.
const FILES := {"TileSet": ".tileset.tres", "Texture2D": ".png"}
## A TileSet of the game may lie anywhere in it: how its path begins and ends, and what its text
## begins with.
const GAME_TILE_SET: Array[String] = ["res://", ".tres", "[gd_resource type=\"TileSet\" "]
## The words that its text must not have: loading a script can run it.
const SCRIPTS := "type\\s*=\\s*\"\\w*Script\"|(?m:^\\s*script\\s*=)"
const LARGEST_TILE_SET := 8 << 20

## The types that exported variables may be set to.
const VARIABLES: Array[int] = [
	TYPE_NIL, TYPE_BOOL, TYPE_INT, TYPE_FLOAT, TYPE_STRING, TYPE_STRING_NAME, TYPE_NODE_PATH,
	TYPE_COLOR, TYPE_VECTOR2, TYPE_VECTOR2I, TYPE_VECTOR3, TYPE_VECTOR3I, TYPE_ARRAY, TYPE_OBJECT
]

## The types that metadata may have.
const PLAIN: Array[int] = [
	TYPE_NIL, TYPE_BOOL, TYPE_INT, TYPE_FLOAT, TYPE_STRING, TYPE_VECTOR2, TYPE_VECTOR2I,
	TYPE_VECTOR3, TYPE_VECTOR3I, TYPE_COLOR, TYPE_NODE_PATH
]
## Metadata by which the editor finds a script.
const REFUSED_METADATA: Array[String] = ["_custom_type_script"]

## The maximum number of nodes of a scene.
const MOST_NODES := 1 << 20
## The maximum number of nodes above a node.
const DEEPEST := 8
## The maximum depth of lists and maps in metadata.
const DEEPEST_VALUE := 64
## Cells in a row and a column of a chunk of a large level: corners in one are bytes.
const CHUNK_SIDE := 64
## Bytes of a tile's place in a TileSet: source, column, row and alternative.
const POSITION_BYTES := 8
const LONGEST_SIDE := 1 << 24
const LARGEST_TILE := 1 << 16

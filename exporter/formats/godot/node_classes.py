"""List Godot's node classes, and which have no 2D position."""

from __future__ import annotations

# With a position in 2D: everything below Node2D and Control, in Godot 4.6.
_PLACED_NAMES = """
    AnimatableBody2D AnimatedSprite2D Area2D AspectRatioContainer AudioListener2D
    AudioStreamPlayer2D BackBufferCopy BaseButton Bone2D BoxContainer Button CPUParticles2D Camera2D
    CanvasGroup CanvasModulate CenterContainer CharacterBody2D CheckBox CheckButton CodeEdit
    CollisionObject2D CollisionPolygon2D CollisionShape2D ColorPicker ColorPickerButton ColorRect
    Container Control DampedSpringJoint2D DirectionalLight2D FlowContainer FoldableContainer
    GPUParticles2D GraphEdit GraphElement GraphFrame GraphNode GridContainer GrooveJoint2D
    HBoxContainer HFlowContainer HScrollBar HSeparator HSlider HSplitContainer ItemList Joint2D
    Label Light2D LightOccluder2D Line2D LineEdit LinkButton MarginContainer Marker2D MenuBar
    MenuButton MeshInstance2D MultiMeshInstance2D NavigationLink2D NavigationObstacle2D
    NavigationRegion2D NinePatchRect Node2D OptionButton Panel PanelContainer Parallax2D
    ParallaxLayer Path2D PathFollow2D PhysicalBone2D PhysicsBody2D PinJoint2D PointLight2D
    Polygon2D ProgressBar Range RayCast2D ReferenceRect RemoteTransform2D RichTextLabel RigidBody2D
    ScrollBar ScrollContainer Separator ShapeCast2D Skeleton2D Slider SpinBox SplitContainer
    Sprite2D StaticBody2D SubViewportContainer TabBar TabContainer TextEdit TextureButton
    TextureProgressBar TextureRect TileMap TileMapLayer TouchScreenButton Tree VBoxContainer
    VFlowContainer VScrollBar VSeparator VSlider VSplitContainer VideoStreamPlayer
    VisibleOnScreenEnabler2D VisibleOnScreenNotifier2D
"""
# Without the others, except for names that end in 3D.
_OTHER_NAMES = """
    AcceptDialog AnimationMixer AnimationPlayer AnimationTree AudioStreamPlayer CanvasItem
    CanvasLayer ConfirmationDialog Decal FileDialog FogVolume GridMap HTTPRequest
    InstancePlaceholder LightmapGI LightmapProbe MissingNode MultiplayerSpawner
    MultiplayerSynchronizer NavigationAgent2D Node OpenXRCompositionLayer
    OpenXRCompositionLayerCylinder OpenXRCompositionLayerEquirect OpenXRCompositionLayerQuad
    OpenXRHand OpenXRRenderModel OpenXRRenderModelManager OpenXRVisibilityMask ParallaxBackground
    Popup PopupMenu PopupPanel ReflectionProbe ResourcePreloader RootMotionView
    ShaderGlobalsOverride StatusIndicator SubViewport Timer Viewport VoxelGI Window WorldEnvironment
"""
_PLACED = frozenset(_PLACED_NAMES.split())
_OTHERS = frozenset(_OTHER_NAMES.split())


def has_no_position(class_name: str) -> bool:
    """Return whether nodes of the class `class_name` have no 2D position.

    A class that is not one of Godot's own is assumed to have a position.
    """
    return class_name.endswith("3D") or class_name in _OTHERS


def is_engine_class(class_name: str) -> bool:
    """Return whether `class_name` is a node class of Godot itself."""
    return (
        class_name in ("Object", "RefCounted", "Resource", "GodotObject", "")
        or class_name in _PLACED
        or has_no_position(class_name)
    )

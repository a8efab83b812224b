-- Runs a map, as LÖVE does, and prints its layers: a line with the name of each tile layer, its
-- width and height, and the numbers of its cells, and one for each object.
-- Asked with the file.

local map = dofile(arg[1])
for _, layer in ipairs(map.layers) do
  if layer.type == "tilelayer" then
    print(layer.name, layer.width, layer.height, table.concat(layer.data, " "))
  elseif layer.name == "objects" then
    for _, thing in ipairs(layer.objects) do
      print(thing.name, thing.x, thing.y, thing.properties.gold or "")
    end
  end
end

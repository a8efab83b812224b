-- Runs a module with the objects of a level, as Defold does, and prints a line for each object.
-- Asked with the file.

local level = dofile(arg[1])
print(level.width, level.height, level.tile_size, level.properties.music)
for _, object in ipairs(level.objects) do
  print(object.id, object.name, object.x, object.y, tostring(object.properties.note), object.properties.gold)
end

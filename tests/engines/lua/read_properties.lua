-- Runs a map, as LÖVE does, and prints its properties: a line with the name and the value, both as
-- hexadecimal bytes.
-- Asked with the file.

local function bytes(value)
  return (tostring(value):gsub(".", function(one) return ("%02x"):format(one:byte()) end))
end

for name, value in pairs(dofile(arg[1]).properties) do
  print(bytes(name), bytes(value))
end

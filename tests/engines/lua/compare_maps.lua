-- Runs two maps, as LÖVE does, and prints where their tables differ: a line for each place.
-- Asked with the two files as arguments, and keys that need not agree. The last line counts the
-- values that were compared.

local ignored, compared = {}, 0
for place = 3, #arg do
  ignored[arg[place]] = true
end

local function differences(path, one, other)
  compared = compared + 1
  if type(one) ~= "table" or type(other) ~= "table" then
    if one ~= other then
      print(path .. ": " .. tostring(one) .. " / " .. tostring(other))
    end
    return
  end
  for key, value in pairs(one) do
    if not ignored[key] then
      differences(path .. "." .. tostring(key), value, other[key])
    end
  end
  for key in pairs(other) do
    if one[key] == nil and not ignored[key] then
      print(path .. "." .. tostring(key) .. ": nil / " .. tostring(other[key]))
    end
  end
end

differences("map", dofile(arg[1]), dofile(arg[2]))
print("compared " .. compared)

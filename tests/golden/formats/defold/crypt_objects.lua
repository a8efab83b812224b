return {
 ["width"] = 10,
 ["height"] = 6,
 ["tile_size"] = 16,
 ["properties"] = {
  ["level"] = "crypt",
  ["seed"] = "moss",
  ["rng"] = "portable",
  ["music"] = "drip.ogg",
  ["depth"] = 3,
  ["dark"] = true,
 },
 ["objects"] = {
  {
   ["id"] = 1,
   ["name"] = "stairs_up",
   ["x"] = 24.0,
   ["y"] = 72.0,
   ["properties"] = {
    ["to"] = "the \"upper\"\ncrypt",
    ["locked"] = true,
   },
  },
  {
   ["id"] = 2,
   ["name"] = "chest",
   ["x"] = 136.0,
   ["y"] = 72.0,
   ["properties"] = {
    ["gold"] = 25,
    ["weight"] = 1.5,
   },
  },
  {
   ["id"] = 3,
   ["name"] = "chest",
   ["x"] = 120.0,
   ["y"] = 24.0,
   ["properties"] = {
    ["gold"] = "1099511627776",
   },
  },
 },
}

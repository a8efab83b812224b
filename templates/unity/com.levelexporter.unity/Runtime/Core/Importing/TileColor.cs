namespace LevelExporter.Importing
{
    /// <summary>Colours of legends, `#rrggbb` or `#rrggbbaa`.</summary>
    public static class TileColor
    {
        /// <summary>Red, green, blue and alpha; magenta for an invalid colour.</summary>
        public static byte[] Of(string color)
        {
            uint value;
            if (color != null && (color.Length == 7 || color.Length == 9) && color[0] == '#'
                && uint.TryParse(
                    color.Substring(1),
                    System.Globalization.NumberStyles.AllowHexSpecifier,
                    System.Globalization.CultureInfo.InvariantCulture,
                    out value))
            {
                value = color.Length == 7 ? value << 8 | 255 : value;
                return new[]
                {
                    (byte)(value >> 24), (byte)(value >> 16), (byte)(value >> 8), (byte)value,
                };
            }
            return new byte[] { 255, 0, 255, 255 };
        }
    }
}

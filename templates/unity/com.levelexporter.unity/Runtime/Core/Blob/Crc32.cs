namespace LevelExporter.Blob
{
    /// <summary>The checksum of zip and PNG, eight bytes a turn.</summary>
    internal static class Crc32
    {
        // Table k has the effect of a byte with k more bytes behind it in its group of eight.
        private static readonly uint[][] Tables = MakeTables();

        /// <summary>Goes on with a checksum that starts as 0.</summary>
        public static uint Append(uint check, byte[] bytes, int start, int length)
        {
            uint[] t0 = Tables[0], t1 = Tables[1], t2 = Tables[2], t3 = Tables[3];
            uint[] t4 = Tables[4], t5 = Tables[5], t6 = Tables[6], t7 = Tables[7];
            uint crc = ~check;
            int at = start;
            int end = start + length;
            for (; at + 8 <= end; at += 8)
            {
                crc ^= (uint)(bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16)
                    | (uint)bytes[at + 3] << 24;
                crc = t7[crc & 255] ^ t6[crc >> 8 & 255] ^ t5[crc >> 16 & 255] ^ t4[crc >> 24]
                    ^ t3[bytes[at + 4]] ^ t2[bytes[at + 5]] ^ t1[bytes[at + 6]] ^ t0[bytes[at + 7]];
            }
            for (; at < end; at++)
            {
                crc = t0[(crc ^ bytes[at]) & 255] ^ crc >> 8;
            }
            return ~crc;
        }

        private static uint[][] MakeTables()
        {
            var tables = new uint[8][];
            for (int table = 0; table < tables.Length; table++)
            {
                tables[table] = new uint[256];
                for (uint value = 0; value < 256; value++)
                {
                    tables[table][value] = table == 0
                        ? OfByte(value)
                        : tables[0][tables[table - 1][value] & 255] ^ tables[table - 1][value] >> 8;
                }
            }
            return tables;
        }

        private static uint OfByte(uint value)
        {
            for (int bit = 0; bit < 8; bit++)
            {
                value = (value & 1) != 0 ? value >> 1 ^ 0xEDB88320 : value >> 1;
            }
            return value;
        }
    }
}

using System;
using System.Collections.Generic;
using System.Globalization;
using LevelExporter.Blob;
using LevelExporter.Codecs;
using LevelExporter.Packs;

namespace LevelExporter
{
    /// <summary>
    /// Reads a pack: thousands of levels in one `.lvp` file, each decoded when it is asked for.
    /// <code>
    /// LevelPack pack = LevelPack.Open(File.ReadAllBytes("crypt.lvp"));
    /// LevelBlob today = pack.Level(pack.Daily("2026-12-24"));
    /// IReadOnlyList&lt;int&gt; far = pack.Find("farthest >= 60");
    /// int[] order = pack.Shuffled(runSeed);           // each level once
    /// </code>
    /// Damaged or hostile data always ends in a <see cref="LevelBlobException"/>. Not for several
    /// threads at once.
    /// </summary>
    public sealed class LevelPack
    {
        private const int HeaderSize = 32;
        private const int Major = 1;
        private const int MostLevels = 1 << 20;
        private const long SecondsOfADay = 86400;

        private static readonly byte[] Signature =
        {
            0x8F, 0x4C, 0x56, 0x50, 0x0D, 0x0A, 0x1A, 0x0A,
        };

        private readonly byte[] data;
        private readonly BlobLimits limits;
        private readonly int columnsAt;
        private readonly int tableAt;
        private readonly object directory;
        private readonly Dictionary<string, object> shapes;
        private readonly List<PackColumn> columns = new List<PackColumn>();

        private LevelPack(byte[] data, BlobLimits limits)
        {
            this.data = data;
            this.limits = limits;
            CheckHeader();
            long columnsEnd = HeaderSize + (long)Unsigned32(16) + Unsigned32(20);
            uint count = Unsigned32(12);
            if (count > MostLevels || columnsEnd + 4 * (count + 1L) > data.Length)
            {
                throw new LevelBlobException("the pack says it has " + count + " levels, more than fit");
            }
            Count = (int)count;
            tableAt = (int)columnsEnd;
            columnsAt = HeaderSize + (int)Unsigned32(16);
            byte[] payload = Payload(HeaderSize, columnsAt, "PACK", 0);
            try
            {
                var shared = (Dictionary<string, object>)JsonReader.Read(
                    PackRecord.Values, payload, new BlobBudget(limits));
                Name = (string)shared["name"];
                directory = shared["directory"];
                shapes = (Dictionary<string, object>)shared["shapes"];
                foreach (object column in (List<object>)shared["columns"])
                {
                    columns.Add(new PackColumn((Dictionary<string, object>)column));
                }
            }
            catch (Exception cause) when (LevelBlobException.IsDamage(cause))
            {
                throw new LevelBlobException("broken pack: its shared part");
            }
        }

        /// <summary>The name of the level whose spec the pack was made from.</summary>
        public string Name { get; private set; }

        /// <summary>How many levels the pack has.</summary>
        public int Count { get; private set; }

        /// <summary>The names of the measures that <see cref="Find"/> knows.</summary>
        public IReadOnlyList<string> Measures
        {
            get { return columns.FindAll(column => column.IsMeasure).ConvertAll(column => column.Name); }
        }

        /// <summary>Reads the bytes of a file, which must not change afterwards.</summary>
        /// <exception cref="LevelBlobException">They are no pack.</exception>
        public static LevelPack Open(byte[] bytes)
        {
            return Open(bytes, new BlobLimits());
        }

        /// <summary>Reads the bytes of a file; each level is read within the limits.</summary>
        /// <exception cref="LevelBlobException">They are no pack, or over a limit.</exception>
        public static LevelPack Open(byte[] bytes, BlobLimits limits)
        {
            if (bytes == null)
            {
                throw new ArgumentNullException("bytes");
            }
            return new LevelPack(bytes, limits);
        }

        /// <summary>A level, from 0; nothing of other levels is read.</summary>
        /// <exception cref="ArgumentOutOfRangeException">There is no such level.</exception>
        /// <exception cref="LevelBlobException">It is damaged.</exception>
        public LevelBlob Level(int index)
        {
            return LevelBlob.FromBytes(Blob(index), limits);
        }

        /// <summary>The bytes of a level's blob, as in a `.lvb` file.</summary>
        /// <exception cref="ArgumentOutOfRangeException">There is no such level.</exception>
        /// <exception cref="LevelBlobException">It is damaged.</exception>
        public byte[] Blob(int index)
        {
            if (index < 0 || index >= Count)
            {
                throw new ArgumentOutOfRangeException("index");
            }
            long first = Unsigned32(tableAt + 4 * index);
            long end = Unsigned32(tableAt + 4 * index + 4);
            if (first < tableAt + 4L * (Count + 1) || end > data.Length || first > end - 4)
            {
                throw new LevelBlobException("level " + index + " lies outside the pack");
            }
            byte[] number = { (byte)index, (byte)(index >> 8), (byte)(index >> 16), 0 };
            uint check = Crc32.Append(0, number, 0, 4);
            check = Crc32.Append(check, data, (int)first + 4, (int)(end - first) - 4);
            if (check != Unsigned32((int)first))
            {
                throw new LevelBlobException(
                    "damaged level " + index + ": the checksum does not match");
            }
            var body = new byte[end - first - 4];
            Buffer.BlockCopy(data, (int)first + 4, body, 0, body.Length);
            return new PackRecord(body, limits).Blob(directory, shapes);
        }

        /// <summary>
        /// The values of all levels: `seed`, a varied parameter such as `ground.wall_percent`, or a
        /// measure. Each is null, bool, long, double or string.
        /// </summary>
        /// <exception cref="KeyNotFoundException">The pack has none of that name.</exception>
        /// <exception cref="LevelBlobException">They are damaged.</exception>
        public IReadOnlyList<object> Values(string name)
        {
            int item = columns.FindIndex(column => column.Name == name);
            if (item < 0)
            {
                throw new KeyNotFoundException("the pack has no values " + name);
            }
            return columns[item].Values(() => Payload(columnsAt, tableAt, "colm", item), Count);
        }

        /// <summary>
        /// The levels that meet a condition over their measures, in order. A level for which it has
        /// no value, as it divides by zero, does not meet it.
        /// </summary>
        /// <param name="expression">As in `farthest >= 60 and dead_ends &lt;= 6`.</param>
        /// <exception cref="FormatException">It is no condition, or names no measure.</exception>
        public IReadOnlyList<int> Find(string expression)
        {
            var condition = new PackCondition(expression);
            IReadOnlyList<string> known = Measures;
            var named = new List<IReadOnlyList<object>>();
            foreach (string name in condition.Names)
            {
                if (!((List<string>)known).Contains(name))
                {
                    throw new FormatException(
                        "the pack has no measure " + name + " (known: " + string.Join(", ", known) + ")");
                }
                named.Add(Values(name));
            }
            var found = new List<int>();
            var row = new double[named.Count];
            for (int index = 0; index < Count; index++)
            {
                for (int place = 0; place < row.Length; place++)
                {
                    row[place] = Convert.ToDouble(named[place][index], CultureInfo.InvariantCulture);
                }
                if (condition.Holds(row))
                {
                    found.Add(index);
                }
            }
            return found;
        }

        /// <summary>
        /// All levels in an order that follows from a seed, each once; the lowest 32 bits of the
        /// seed decide.
        /// </summary>
        public int[] Shuffled(long seed)
        {
            var order = new int[Count];
            for (int index = 0; index < Count; index++)
            {
                order[index] = index;
            }
            uint start = Mixed(unchecked((uint)seed));
            for (int place = Count - 1; place > 0; place--)
            {
                uint draw = Mixed(unchecked(start + (uint)place * 0x9E3779B9));
                int target = (int)((ulong)draw * (ulong)(place + 1) >> 32);
                int kept = order[place];
                order[place] = order[target];
                order[target] = kept;
            }
            return order;
        }

        /// <summary>
        /// The level of a day, written as `2026-12-24`: each comes once before any comes again.
        /// </summary>
        /// <exception cref="FormatException">It is no date.</exception>
        /// <exception cref="InvalidOperationException">The pack is empty.</exception>
        public int Daily(string date)
        {
            DateTime day;
            if (!DateTime.TryParseExact(
                    date, "yyyy-MM-dd", CultureInfo.InvariantCulture, DateTimeStyles.None, out day))
            {
                throw new FormatException(date + " is no date (write it as 2026-12-24)");
            }
            if (Count == 0)
            {
                throw new InvalidOperationException("the pack is empty");
            }
            long days = (day - new DateTime(1970, 1, 1)).Ticks / TimeSpan.TicksPerSecond / SecondsOfADay;
            int place = (int)((days % Count + Count) % Count);
            return Shuffled((days - place) / Count)[place];
        }

        // The lowest 32 bits, mixed (Wellons, "Prospecting for hash functions", 2018).
        private static uint Mixed(uint value)
        {
            unchecked
            {
                value = (value ^ value >> 16) * 0x7FEB352D;
                value = (value ^ value >> 15) * 0x846CA68B;
                return value ^ value >> 16;
            }
        }

        private void CheckHeader()
        {
            bool isPack = data.Length >= HeaderSize;
            for (int index = 0; isPack && index < Signature.Length; index++)
            {
                isPack = data[index] == Signature[index];
            }
            if (!isPack)
            {
                throw new LevelBlobException("not a level pack");
            }
            if (data[8] != Major)
            {
                throw new LevelBlobException(
                    "pack version " + data[8] + " is not known here (known: " + Major + ")");
            }
            if (data[10] != 0)
            {
                throw new LevelBlobException("the pack needs features that are not known here");
            }
            if (Crc32.Append(0, data, 0, HeaderSize - 4) != Unsigned32(HeaderSize - 4))
            {
                throw new LevelBlobException("damaged header: the checksum does not match");
            }
            if (Unsigned32(24) != (uint)data.Length)
            {
                throw new LevelBlobException("the pack has another length than it says");
            }
        }

        // The payload of a chunk in a container that is a part of the file.
        private byte[] Payload(int start, int end, string type, int item)
        {
            var part = new byte[end - start];
            Buffer.BlockCopy(data, start, part, 0, part.Length);
            var container = new BlobContainer(part, limits);
            List<BlobChunk> found = container.ChunksOf(type, 0, item);
            if (found.Count == 0)
            {
                throw new LevelBlobException("the pack has no chunk " + type + " " + item);
            }
            return container.Load(found[0]);
        }

        private uint Unsigned32(int at)
        {
            return (uint)(data[at] | data[at + 1] << 8 | data[at + 2] << 16) | (uint)data[at + 3] << 24;
        }
    }
}

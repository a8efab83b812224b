using System;
using System.Collections.Generic;

namespace LevelExporter.Blob
{
    /// <summary>
    /// The container of a blob: signature, directory and checksums, everything checked before a
    /// payload is touched.
    /// </summary>
    internal sealed class BlobContainer
    {
        public const int HeaderSize = 24;
        public const int EntrySize = 32;
        private const int Major = 1;

        private static readonly byte[] Signature =
        {
            0x8F, 0x4C, 0x56, 0x42, 0x0D, 0x0A, 0x1A, 0x0A,
        };

        private static readonly List<BlobChunk> NoChunks = new List<BlobChunk>();

        private readonly byte[] data;

        // By type, level and item, which together are 64 bits.
        private readonly Dictionary<ulong, List<BlobChunk>> byPosition =
            new Dictionary<ulong, List<BlobChunk>>();

        private readonly Dictionary<int, List<BlobChunk>> byLevel =
            new Dictionary<int, List<BlobChunk>>();

        /// <summary>Checks header and directory.</summary>
        /// <exception cref="LevelBlobException">It is no container, damaged, or too new.</exception>
        public BlobContainer(byte[] data, BlobLimits limits)
        {
            this.data = data;
            int count = ReadHeader(limits);
            Chunks = new List<BlobChunk>(count);
            long end = HeaderSize + (long)EntrySize * count;
            for (int index = 0; index < count; index++)
            {
                BlobChunk chunk = ReadEntry(index, ref end);
                Chunks.Add(chunk);
                Append(byPosition, Key(chunk.Type, chunk.Level, chunk.Item), chunk);
                Append(byLevel, chunk.Level, chunk);
            }
        }

        /// <summary>The directory, in the order of the file.</summary>
        public List<BlobChunk> Chunks { get; private set; }

        /// <summary>The chunks of a type, level and item, in the order of the file.</summary>
        public List<BlobChunk> ChunksOf(string type, int level, int item)
        {
            List<BlobChunk> listed;
            return byPosition.TryGetValue(Key(type, level, item), out listed) ? listed : NoChunks;
        }

        /// <summary>All chunks of a level, in the order of the file.</summary>
        public List<BlobChunk> ChunksOf(int level)
        {
            List<BlobChunk> listed;
            return byLevel.TryGetValue(level, out listed) ? listed : NoChunks;
        }

        /// <summary>The payload of a chunk.</summary>
        /// <exception cref="LevelBlobException">It is damaged.</exception>
        public byte[] Load(BlobChunk chunk)
        {
            if (Crc32.Append(0, data, chunk.Offset, chunk.Length) != chunk.Check)
            {
                throw new LevelBlobException(
                    "damaged chunk " + chunk.Type + ": the checksum does not match");
            }
            var payload = new byte[chunk.Length];
            Buffer.BlockCopy(data, chunk.Offset, payload, 0, chunk.Length);
            return payload;
        }

        /// <summary>The bytes of a container with these chunks, in this order.</summary>
        public static byte[] Write(List<BlobChunk> chunks, byte[][] payloads)
        {
            int offset = HeaderSize + EntrySize * chunks.Count;
            long length = offset;
            foreach (byte[] payload in payloads)
            {
                length += payload.Length;
            }
            var blob = new byte[checked((int)length)];
            Buffer.BlockCopy(Signature, 0, blob, 0, Signature.Length);
            blob[8] = Major;
            Put(blob, 12, (uint)chunks.Count);
            Put(blob, 16, (uint)blob.Length);
            for (int index = 0; index < chunks.Count; index++)
            {
                BlobChunk chunk = chunks[index];
                byte[] payload = payloads[index];
                int at = HeaderSize + EntrySize * index;
                for (int letter = 0; letter < 4; letter++)
                {
                    blob[at + letter] = (byte)chunk.Type[letter];
                }
                blob[at + 4] = (byte)chunk.Codec;
                blob[at + 5] = (byte)chunk.Element;
                Put(blob, at + 8, (uint)chunk.Item | (uint)chunk.Part << 16);
                Put(blob, at + 12, (uint)offset);
                Put(blob, at + 16, (uint)payload.Length);
                Put(blob, at + 20, Crc32.Append(0, payload, 0, payload.Length));
                Put(blob, at + 24, (uint)chunk.Width | (uint)chunk.Height << 16);
                Put(blob, at + 28, (uint)chunk.Side | (uint)chunk.Prior << 16);
                Buffer.BlockCopy(payload, 0, blob, offset, payload.Length);
                offset += payload.Length;
            }
            uint check = Crc32.Append(0, blob, 0, 20);
            Put(blob, 20, Crc32.Append(check, blob, HeaderSize, EntrySize * chunks.Count));
            return blob;
        }

        private static void Put(byte[] bytes, int at, uint number)
        {
            for (int place = 0; place < 4; place++)
            {
                bytes[at + place] = (byte)(number >> 8 * place);
            }
        }

        private int ReadHeader(BlobLimits limits)
        {
            if (data.Length < HeaderSize || !HasSignature())
            {
                throw new LevelBlobException("not a level blob");
            }
            if (data[8] != Major)
            {
                throw new LevelBlobException(
                    "blob version " + data[8] + " is not known here (known: " + Major + ")");
            }
            // A set bit in the low byte changes the meaning, in the high byte it does not.
            if (data[10] != 0)
            {
                throw new LevelBlobException("the blob needs features that are not known here");
            }
            if (Unsigned32(16) != (uint)data.Length)
            {
                throw new LevelBlobException(
                    "the blob says it has " + Unsigned32(16) + " bytes, and has " + data.Length);
            }
            uint count = Unsigned32(12);
            if (count > limits.MostChunks || HeaderSize + (long)EntrySize * count > data.Length)
            {
                throw new LevelBlobException(
                    "the blob says it has " + count + " chunks, more than fit");
            }
            uint check = Crc32.Append(0, data, 0, 20);
            check = Crc32.Append(check, data, HeaderSize, EntrySize * (int)count);
            if (check != Unsigned32(20))
            {
                throw new LevelBlobException("damaged directory: the checksum does not match");
            }
            return (int)count;
        }

        private static void Append<T>(Dictionary<T, List<BlobChunk>> chunks, T key, BlobChunk chunk)
        {
            List<BlobChunk> same;
            if (!chunks.TryGetValue(key, out same))
            {
                same = new List<BlobChunk>();
                chunks[key] = same;
            }
            same.Add(chunk);
        }

        private static ulong Key(string type, int level, int item)
        {
            ulong letters = (ulong)type[0] << 24 | (ulong)type[1] << 16 | (ulong)type[2] << 8 | type[3];
            return letters << 32 | (uint)(level & 0xFFFF) << 16 | (uint)(item & 0xFFFF);
        }

        private bool HasSignature()
        {
            for (int index = 0; index < Signature.Length; index++)
            {
                if (data[index] != Signature[index])
                {
                    return false;
                }
            }
            return true;
        }

        private BlobChunk ReadEntry(int index, ref long end)
        {
            int at = HeaderSize + EntrySize * index;
            var letters = new char[4];
            for (int letter = 0; letter < 4; letter++)
            {
                letters[letter] = (char)data[at + letter];
                if ((letters[letter] | 32) < 'a' || (letters[letter] | 32) > 'z')
                {
                    throw new LevelBlobException("chunk " + index + " has no proper name");
                }
            }
            long offset = Unsigned32(at + 12);
            long length = Unsigned32(at + 16);
            // Ascending and apart: overlapping ranges are how compact archive bombs are built.
            if (offset < end || length > data.Length - offset)
            {
                throw new LevelBlobException(
                    "chunk " + index + " (" + new string(letters)
                    + ") lies outside the file or over another");
            }
            end = offset + length;
            return new BlobChunk
            {
                Type = new string(letters),
                Codec = data[at + 4],
                Element = data[at + 5],
                Level = Unsigned16(at + 6),
                Item = Unsigned16(at + 8),
                Part = Unsigned16(at + 10),
                Offset = (int)offset,
                Length = (int)length,
                Check = Unsigned32(at + 20),
                Width = Unsigned16(at + 24),
                Height = Unsigned16(at + 26),
                Side = Unsigned16(at + 28),
                Prior = Unsigned16(at + 30),
            };
        }

        private int Unsigned16(int at)
        {
            return data[at] | data[at + 1] << 8;
        }

        private uint Unsigned32(int at)
        {
            return (uint)Unsigned16(at) | (uint)Unsigned16(at + 2) << 16;
        }
    }
}

using System;
using System.Collections.Generic;
using System.IO;

namespace LevelExporter
{
    /// <summary>
    /// The one thing that is thrown for bytes that are no undamaged level within the limits.
    /// </summary>
    public sealed class LevelBlobException : Exception
    {
        /// <summary>Describes the fault in the bytes.</summary>
        public LevelBlobException(string message)
            : base(message)
        {
        }

        /// <summary>Describes the fault in the bytes, and its cause.</summary>
        public LevelBlobException(string message, Exception cause)
            : base(message, cause)
        {
        }

        // Exceptions from reading broken bytes: every array is checked by the runtime, so none of
        // these leaves anything half done.
        internal static bool IsDamage(Exception cause)
        {
            return cause is IndexOutOfRangeException
                || cause is ArgumentException
                || cause is ArithmeticException
                || cause is InvalidCastException
                || cause is FormatException
                || cause is KeyNotFoundException
                || cause is NullReferenceException
                || cause is InvalidDataException
                || cause is IOException;
        }
    }
}

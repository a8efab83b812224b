// Stand-ins for the parts of NUnit that the package's own tests call, see UnityEngine.cs.
using System;
using System.Collections;
using System.Linq;

namespace NUnit.Framework
{
    public delegate void TestDelegate();

    [AttributeUsage(AttributeTargets.Method)]
    public class TestAttribute : Attribute
    {
    }

    public static class Assert
    {
        public static T Throws<T>(TestDelegate code) where T : Exception
        {
            try
            {
                code();
            }
            catch (T error)
            {
                return error;
            }
            throw new InvalidOperationException("nothing was thrown");
        }

        public static void AreEqual(object expected, object actual)
        {
            bool same = expected is IEnumerable && actual is IEnumerable
                ? ((IEnumerable)expected).Cast<object>().SequenceEqual(
                    ((IEnumerable)actual).Cast<object>())
                : Equals(expected, actual);
            if (!same)
            {
                throw new InvalidOperationException("not equal");
            }
        }
    }
}

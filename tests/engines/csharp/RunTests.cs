using System;
using System.IO;
using System.Linq;
using System.Reflection;
using NUnit.Framework;

/// <summary>
/// Runs the tests of an assembly as Unity's test runner does, with the project's folder as the
/// current one, and prints their names. Arguments: the assembly, the folder.
/// </summary>
public static class RunTests
{
    public static void Main(string[] arguments)
    {
        Assembly tests = Assembly.LoadFrom(Path.GetFullPath(arguments[0]));
        Directory.SetCurrentDirectory(arguments[1]);
        foreach (Type type in tests.GetTypes())
        {
            foreach (MethodInfo method in type.GetMethods().Where(IsTest))
            {
                method.Invoke(Activator.CreateInstance(type), null);
                Console.WriteLine(method.Name);
            }
        }
    }

    private static bool IsTest(MethodInfo method) =>
        method.GetCustomAttributes(typeof(TestAttribute), false).Any();
}

using System;
using System.Diagnostics;
using System.IO;
using LevelExporter;

/// <summary>
/// Reads damaged blobs from a file: for each its length, four bytes little-endian, then the blob.
/// The first is whole. Prints the result of each: `error`, `same` as the first, or `other`; then
/// the milliseconds of the slowest and the megabytes of memory the process had at most.
/// </summary>
public static class BreakBlobs
{
    private static readonly int[] Viewers = { 1, 1, 5, 7 };

    public static void Main(string[] arguments)
    {
        string whole = null;
        long slowest = 0;
        using (var file = new BinaryReader(File.OpenRead(arguments[0])))
        {
            while (file.BaseStream.Position < file.BaseStream.Length)
            {
                byte[] bytes = file.ReadBytes(file.ReadInt32());
                Stopwatch watch = Stopwatch.StartNew();
                string result = Everything(bytes);
                slowest = Math.Max(slowest, watch.ElapsedMilliseconds);
                whole = whole ?? result;
                Console.WriteLine(result == null ? "error" : result == whole ? "same" : "other");
            }
        }
        long peak = Process.GetCurrentProcess().PeakWorkingSet64 >> 20;
        Console.WriteLine("slowest " + slowest);
        Console.WriteLine("peak " + peak);
    }

    // Anything but the reader's own exception ends the process, and the test with it.
    private static string Everything(byte[] bytes)
    {
        try
        {
            return JsonText.Of(LevelSummary.OfFile(bytes, Viewers));
        }
        catch (LevelBlobException)
        {
            return null;
        }
    }
}

using System;
using System.Diagnostics;
using System.IO;
using LevelExporter;

/// <summary>
/// Judges blobs: `JudgeBlobs.exe FILE default|strangers`. The file holds blobs, each after its
/// length. Prints `read` or `refused` and the milliseconds that took, a line for each; then, on Linux, how
/// much memory the process had at most.
/// </summary>
public static class JudgeBlobs
{
    public static void Main(string[] arguments)
    {
        using (var file = new BinaryReader(File.OpenRead(arguments[0])))
        {
            while (file.BaseStream.Position < file.BaseStream.Length)
            {
                byte[] bytes = file.ReadBytes(file.ReadInt32());
                Stopwatch watch = Stopwatch.StartNew();
                string judged = Judge(bytes, arguments[1] == "strangers");
                Console.WriteLine(judged + " " + watch.ElapsedMilliseconds);
            }
        }
        const string Status = "/proc/self/status";
        Console.WriteLine(File.Exists(Status) ? File.ReadAllText(Status) : "");
    }

    // Anything but the reader's own exception ends the process, and the test with it.
    private static string Judge(byte[] bytes, bool isOfStranger)
    {
        try
        {
            BlobLimits limits = isOfStranger ? BlobLimits.ForStrangers() : new BlobLimits();
            LevelBlob blob = LevelBlob.FromBytes(bytes, limits);
            for (int level = 0; level < blob.LevelCount; level++)
            {
                blob.Select(level);
                blob.Verify();
            }
        }
        catch (LevelBlobException)
        {
            return "refused";
        }
        return "read";
    }
}

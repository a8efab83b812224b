using System;
using System.Diagnostics;
using System.IO;
using LevelExporter;

/// <summary>
/// Prints, for each file named, the milliseconds of the first and of the fastest reading of its
/// first layer, and the microseconds one viewer's field of view takes.
/// </summary>
public static class TimeBlobs
{
    public static void Main(string[] arguments)
    {
        int runs = int.Parse(arguments[0]);
        for (int index = 1; index < arguments.Length; index++)
        {
            byte[] bytes = File.ReadAllBytes(arguments[index]);
            double first = 0;
            double best = double.MaxValue;
            LevelBlob blob = null;
            for (int run = 0; run < runs; run++)
            {
                Stopwatch watch = Stopwatch.StartNew();
                blob = LevelBlob.FromBytes(bytes);
                blob.CellAt(blob.Layers[0].Name, 0, 0);
                double used = watch.Elapsed.TotalMilliseconds;
                first = run == 0 ? used : first;
                best = Math.Min(best, used);
            }
            Console.WriteLine(FormattableString.Invariant(
                $"{first:F2} {best:F2} {FieldOfView(blob):F1}"));
        }
    }

    private static double FieldOfView(LevelBlob blob)
    {
        if (!blob.HasVisibility)
        {
            return 0;
        }
        const int Viewers = 400;
        blob.CanSee(0, 0, 0, 0);
        Stopwatch watch = Stopwatch.StartNew();
        for (int viewer = 0; viewer < Viewers; viewer++)
        {
            int x = viewer * 7919 % blob.Width;
            blob.CanSee(x, viewer * 104729 % blob.Height, x, 0);
        }
        return watch.Elapsed.TotalMilliseconds * 1000 / Viewers;
    }
}

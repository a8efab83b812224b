using System;
using LevelExporter;
using LevelExporter.Codecs;

/// <summary>
/// Inflates a stream for each line of the input, `length hexadecimal`, and prints the digest of the
/// output, or `refused`.
/// </summary>
public static class InflateStreams
{
    public static void Main()
    {
        string line;
        while ((line = Console.In.ReadLine()) != null)
        {
            string[] words = line.Split(' ');
            Console.WriteLine(Answer(int.Parse(words[0]), Bytes(words[1])));
        }
    }

    private static string Answer(int length, byte[] stream)
    {
        try
        {
            return LevelSummary.Digest(ZlibCodec.Inflate(stream, 0, length));
        }
        catch (LevelBlobException)
        {
            return "refused";
        }
        catch (Exception error) when (LevelBlobException.IsDamage(error))
        {
            return "refused";
        }
    }

    private static byte[] Bytes(string hexadecimal)
    {
        var bytes = new byte[hexadecimal.Length / 2];
        for (int index = 0; index < bytes.Length; index++)
        {
            bytes[index] = Convert.ToByte(hexadecimal.Substring(2 * index, 2), 16);
        }
        return bytes;
    }
}

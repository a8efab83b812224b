using System;
using System.IO;
using System.Linq;
using LevelExporter;

/// <summary>
/// Prints a line of JSON for each line of the input: `path x,y x,y ...` with the cells to look
/// from. The line has the content of the file, or {"error": ...} where it is refused.
/// </summary>
public static class ReadBlobs
{
    public static void Main()
    {
        // A locale in which numbers have decimal commas must make no difference.
        System.Threading.Thread.CurrentThread.CurrentCulture =
            System.Globalization.CultureInfo.GetCultureInfo("de-DE");
        string line;
        while ((line = Console.In.ReadLine()) != null)
        {
            string[] parts = line.Split('|');
            int[] viewers = parts[1].Split(new[] { ' ', ',' }, StringSplitOptions.RemoveEmptyEntries)
                .Select(int.Parse).ToArray();
            Console.WriteLine(Answer(parts[0], viewers));
        }
    }

    private static string Answer(string path, int[] viewers)
    {
        try
        {
            return JsonText.Of(LevelSummary.OfFile(File.ReadAllBytes(path), viewers));
        }
        catch (LevelBlobException error)
        {
            return "{\"error\": " + JsonText.Of(error.Message) + "}";
        }
    }
}

using System.Globalization;

namespace Tpwatch.Benchmarks.Hostile;

/// <summary>What a process has started.</summary>
static class Children
{
    public static IEnumerable<int> Of(int parent) => Directory.GetDirectories("/proc").Select(Path.GetFileName)
        .Select(name => int.TryParse(name, CultureInfo.InvariantCulture, out var pid) ? pid : 0)
        .Where(pid => pid > 0 && ParentOf(pid) == parent).ToArray();

    static int ParentOf(int pid)
    {
        try
        {
            var stat = File.ReadAllText($"/proc/{Ground.Text(pid)}/stat");
            return int.Parse(stat[(stat.LastIndexOf(')') + 2)..].Split(' ')[1], CultureInfo.InvariantCulture);
        }
        catch (IOException)
        {
            return 0;
        }
    }
}

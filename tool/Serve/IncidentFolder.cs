using System.Text;
using Tpwatch.Options;
using Tpwatch.Recordings;
using Tpwatch.Run;
using Tpwatch.Text;

namespace Tpwatch.Serve;

/// <summary>
/// The folder of incidents: each a recording with its side-car and a page, the newest so many; nothing else there is touched.
/// </summary>
sealed class IncidentFolder
{
    /// <summary>As many as somebody reads the next morning.</summary>
    public const int MostIncidents = 20;

    /// <summary>A night of incidents fits, and no disk is filled by it.</summary>
    public const long MostBytes = 200 << 20;

    const string Recording = ".nettrace";

    /// <summary>A moment and an underscore: 20261122_031500_.</summary>
    const string Stamp = "00000000_000000_";

    static readonly string[] Endings = [Recording, ".nettrace.json", ".html"];

    readonly DirectoryInfo folder;
    readonly CommandContext context;

    /// <summary>Takes a folder, which is made where it is not there.</summary>
    /// <exception cref="ForeseenException">It cannot be made, or not be written to.</exception>
    public IncidentFolder(string path, CommandContext context)
    {
        this.context = context;
        try
        {
            folder = Directory.CreateDirectory(path);
            var probe = Path.Combine(folder.FullName, ".tpwatch-" + Guid.NewGuid().ToString("N"));
            using (PrivateFile.CreateNew(probe))
            {
                File.Delete(probe);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or ForeseenException)
        {
            throw new ForeseenException($"incidents cannot be saved in {path}: {e.Message}", "name another folder: --incidents DIR",
                ExitCode.Arguments, e);
        }
    }

    /// <summary>Where an incident of that name is, without ending.</summary>
    public string PathOf(string name) => Path.Combine(folder.FullName, name);

    /// <summary>Writes one, all of it or nothing; the oldest make room.</summary>
    public void Write(string name, Action<string> save, Func<PoolReport> report)
    {
        try
        {
            save(PathOf(name) + Recording);
            PrintRequest html = new(null, "html", TimeStyle.Utc, ShowCommandLine: false);
            var page = new ReportDocuments(context, []).Render(report(), html);
            using var file = PrivateFile.CreateNew(PathOf(name) + ".html");
            file.Write(Encoding.UTF8.GetBytes(page));
        }
        catch
        {
            Remove(name);
            throw;
        }
        finally
        {
            Rotate();
        }
    }

    void Rotate()
    {
        var oldestFirst = folder.EnumerateFiles().Where(IsOurs)
            .GroupBy(f => f.Name[..^Endings.First(end => f.Name.EndsWith(end, StringComparison.Ordinal)).Length])
            .OrderBy(g => g.Key, StringComparer.Ordinal).Select(g => (Name: g.Key, Bytes: g.Sum(f => f.Length))).ToList();
        while (oldestFirst.Count > MostIncidents || oldestFirst.Sum(i => i.Bytes) > MostBytes)
        {
            Remove(oldestFirst[0].Name);
            oldestFirst.RemoveAt(0);
        }
    }

    void Remove(string name)
    {
        foreach (var ending in Endings)
        {
            File.Delete(PathOf(name) + ending);
        }
    }

    static bool IsOurs(FileInfo file) => file.Name.Length > Stamp.Length
        && Stamp.Zip(file.Name).All(pair => pair.First == '_' ? pair.Second == '_' : char.IsAsciiDigit(pair.Second))
        && Array.Exists(Endings, end => file.Name.EndsWith(end, StringComparison.Ordinal));
}

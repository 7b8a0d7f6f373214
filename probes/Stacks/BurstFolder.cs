using Tpwatch.Targets;

namespace Tpwatch.Stacks;

/// <summary>A private folder for the files of one stack burst; it is deleted with its files at the end.</summary>
sealed class BurstFolder : IDisposable
{
    const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;

    const string Prefix = "tpwatch-burst-";

    /// <summary>Length of the random part of the name, digits.</summary>
    const int NameDigits = 32;

    readonly string path;
    readonly FileStream held;

    BurstFolder(string path) => (this.path, held) = (path, Hold(path));

    /// <summary>Path of the raw event stream.</summary>
    public string Stream => Path.Combine(path, "burst.nettrace");

    /// <summary>Path of the log that the TraceEvent library derives from the stream.</summary>
    public string Log => Path.Combine(path, "burst.etlx");

    /// <summary>Creates a folder in <paramref name="root"/>; throws the file system's exceptions.</summary>
    public static BurstFolder Create(string root)
    {
        if (!Directory.Exists(root))
        {
            // Otherwise the root would be created too, and would remain.
            throw new DirectoryNotFoundException($"there is no folder {root}");
        }

        var path = Path.Combine(root, $"{Prefix}{Guid.NewGuid():N}");
        _ = OperatingSystem.IsWindows() ? Directory.CreateDirectory(path) : Directory.CreateDirectory(path, OwnerOnly);
        return new(path);
    }

    /// <summary>Deletes the folders that a killed tpwatch has left behind: folders that no process has locked.</summary>
    public static void Sweep(string root)
    {
        try
        {
            foreach (var left in Directory.GetDirectories(root, Prefix + "*").Where(UnixFile.IsOurFolder))
            {
                SweepOne(left);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The folder stays.
        }
    }

    /// <summary>A failure message without the folder's random name, so that two bursts give equal messages.</summary>
    public static string Nameless(string text) => string.Join(
        Prefix + "*", text.Split(Prefix).Select((part, i) => i > 0 && part.Length >= NameDigits ? part[NameDigits..] : part));

    public void Dispose()
    {
        held.Dispose();
        try
        {
            Directory.Delete(path, recursive: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Another process has deleted the folder.
        }
    }

    // The file is locked for all processes, also those in other namespaces, until it is closed or this process ends.
    static FileStream Hold(string path) => new(Path.Combine(path, "held"), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);

    static void SweepOne(string left)
    {
        try
        {
            Hold(left).Dispose();
        }
        catch (IOException)
        {
            return;
        }

        Directory.Delete(left, recursive: true);
    }
}

using Tpwatch.Targets;

namespace Tpwatch.Stacks;

/// <summary>A folder of our own for the files of one burst, closed to others; nothing is left of it.</summary>
sealed class BurstFolder : IDisposable
{
    const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;

    const string Prefix = "tpwatch-burst-";

    /// <summary>Digits of the name that no other burst has.</summary>
    const int NameDigits = 32;

    readonly string path;
    readonly FileStream held;

    BurstFolder(string path) => (this.path, held) = (path, Hold(path));

    /// <summary>Where the raw stream goes.</summary>
    public string Stream => Path.Combine(path, "burst.nettrace");

    /// <summary>Where the library puts what it makes of it.</summary>
    public string Log => Path.Combine(path, "burst.etlx");

    /// <summary>Creates it in <paramref name="root"/>; throws as the file system does.</summary>
    public static BurstFolder Create(string root)
    {
        if (!Directory.Exists(root))
        {
            // It would be created on the way, and left behind.
            throw new DirectoryNotFoundException($"there is no folder {root}");
        }

        var path = Path.Combine(root, $"{Prefix}{Guid.NewGuid():N}");
        _ = OperatingSystem.IsWindows() ? Directory.CreateDirectory(path) : Directory.CreateDirectory(path, OwnerOnly);
        return new(path);
    }

    /// <summary>Takes away what a watcher of ours left that was killed: nobody holds it.</summary>
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
            // It stays, as it would have without us.
        }
    }

    /// <summary>A failure in words that are the same for the next burst: without the name that is of this folder alone.</summary>
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
            // Taken away under us; then there is nothing left of it either.
        }
    }

    // Locked while it is open, in every namespace, and free when the process is gone, however it went.
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

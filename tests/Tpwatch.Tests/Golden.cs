using System.Reflection;
using DiffPlex.DiffBuilder;
using DiffPlex.DiffBuilder.Model;

namespace Tpwatch.Tests;

/// <summary>
/// Compares a text with the file of that name under Expected/. A difference is shown as a diff and written beside as
/// <c>*.received.*</c>; UPDATE_GOLDEN=1 accepts what came.
/// </summary>
static class Golden
{
    static readonly string Folder = Path.Combine(
        typeof(Golden).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(a => a.Key == "RepositoryRoot").Value!,
        "tests", "Tpwatch.Tests", "Expected");

    /// <summary>Whether what comes is to be the new truth.</summary>
    public static bool IsAccepted => Environment.GetEnvironmentVariable("UPDATE_GOLDEN") == "1";

    /// <param name="name">The file under Expected/, with folders and extension: <c>Tui/overview.80x24.txt</c>.</param>
    /// <param name="actual">What came; lines end with a line feed.</param>
    public static void Verify(string name, string actual)
    {
        var path = Path.Combine(Folder, name);
        var received = Path.ChangeExtension(path, ".received" + Path.GetExtension(path));
        var expected = File.Exists(path) ? File.ReadAllText(path) : "";
        if (expected == actual)
        {
            File.Delete(received);
            return;
        }

        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(IsAccepted ? path : received, actual);
        Assert.True(IsAccepted, $"{name} differs (UPDATE_GOLDEN=1 accepts):\n{Difference(expected, actual)}");
    }

    /// <summary>Compares a whole page of the repository, by its path, with what the program says of it.</summary>
    public static void VerifyPage(string path, string actual)
    {
        var full = Path.GetFullPath(Path.Combine(Folder, "..", "..", "..", path));
        if (IsAccepted)
        {
            File.WriteAllText(full, actual);
        }

        Assert.Equal(actual, File.Exists(full) ? File.ReadAllText(full).ReplaceLineEndings("\n") : "");
    }

    static string Difference(string expected, string actual) => string.Join('\n',
        new InlineDiffBuilder(new DiffPlex.Differ()).BuildDiffModel(expected, actual).Lines
            .Where(l => l.Type != ChangeType.Unchanged).Take(60)
            .Select(l => (l.Type == ChangeType.Inserted ? "+ " : "- ") + l.Text));
}

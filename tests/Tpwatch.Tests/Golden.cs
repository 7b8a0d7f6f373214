using System.Reflection;
using DiffPlex.DiffBuilder;
using DiffPlex.DiffBuilder.Model;

namespace Tpwatch.Tests;

/// <summary>
/// Compares a text with the file of that name under Expected/. A difference is shown as a diff and written beside as
/// <c>*.received.*</c>; UPDATE_GOLDEN=1 accepts what came.
/// </summary>
internal static class Golden
{
    static readonly string Folder = Path.Combine(
        typeof(Golden).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(a => a.Key == "RepositoryRoot").Value!,
        "tests", "Tpwatch.Tests", "Expected");

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
        var accept = Environment.GetEnvironmentVariable("UPDATE_GOLDEN") == "1";
        File.WriteAllText(accept ? path : received, actual);
        Assert.True(accept, $"{name} differs (UPDATE_GOLDEN=1 accepts):\n{Difference(expected, actual)}");
    }

    static string Difference(string expected, string actual) => string.Join('\n',
        new InlineDiffBuilder(new DiffPlex.Differ()).BuildDiffModel(expected, actual).Lines
            .Where(l => l.Type != ChangeType.Unchanged).Take(60)
            .Select(l => (l.Type == ChangeType.Inserted ? "+ " : "- ") + l.Text));
}

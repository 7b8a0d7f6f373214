using System.Reflection;

namespace Tpwatch.Tests.Structure;

/// <summary>The repository's own text files, as they lie in the folder the tests were built from.</summary>
static class SourceTree
{
    static readonly HashSet<string> TextExtensions =
        [".cs", ".csproj", ".props", ".targets", ".slnx", ".md", ".json",
            ".txt", ".ps1", ".yml", ".html", ".css", ".js", ".editorconfig", ""];

    static readonly HashSet<string> NotOurs = ["artifacts", ".git", ".vs", ".idea", "bin", "obj"];

    public static string Root { get; } = Path.GetFullPath(
        typeof(SourceTree).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(a => a.Key == "RepositoryRoot").Value!);

    public static IReadOnlyList<SourceFile> Files { get; } = [.. Below(new DirectoryInfo(Root)).Select(Read)];

    public static IEnumerable<SourceFile> CSharp => Files.Where(file => file.IsCSharp);

    static IEnumerable<FileInfo> Below(DirectoryInfo folder) =>
        folder.EnumerateFiles().Where(file => TextExtensions.Contains(file.Extension) && file.Name != ".git")
            .Concat(folder.EnumerateDirectories().Where(child => !NotOurs.Contains(child.Name)).SelectMany(Below));

    static SourceFile Read(FileInfo file) =>
        new(Path.GetRelativePath(Root, file.FullName).Replace('\\', '/'), File.ReadAllText(file.FullName).ReplaceLineEndings("\n"));
}

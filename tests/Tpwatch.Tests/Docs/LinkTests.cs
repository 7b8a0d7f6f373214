using Tpwatch.Tests.Structure;

namespace Tpwatch.Tests.Docs;

/// <summary>What a page points to is there.</summary>
public sealed class LinkTests
{
    static IEnumerable<MarkdownText> Pages => SourceTree.Files.Where(file => file.Path.EndsWith(".md", StringComparison.Ordinal))
        .Select(file => new MarkdownText(file.Path, file.Text));

    [Fact]
    public void Relative_links_lead_to_files_and_folders_that_exist()
    {
        var links = Pages.SelectMany(page => page.Links.Where(IsRelative).Select(link => (page.Path, Link: link.Split('#')[0])))
            .Where(l => l.Link.Length > 0).ToArray();
        Assert.NotEmpty(links);
        Assert.All(links,
            link => Assert.True(Exists(Path.Combine(Path.GetDirectoryName(link.Path)!, link.Link)), $"{link.Path} points to {link.Link}"));
    }

    [Fact]
    public void Links_within_a_page_lead_to_headings_of_it() => Assert.All(Pages, page => Assert.All(
        page.Links.Where(link => link.StartsWith('#')),
        link => Assert.Contains(link[1..], page.Text.Split('\n').Where(line => line.StartsWith('#')).Select(Anchor))));

    [Fact]
    public void Every_file_of_the_walkthrough_exists_and_the_first_is_the_program()
    {
        var named = MarkdownText.Of("tool/README.md").Code.Where(code => code.EndsWith(".cs", StringComparison.Ordinal)).ToArray();
        Assert.Equal("tool/Program.cs", named[0]);
        Assert.True(named.Length > 20, $"only {named.Length} files were recognised");
        Assert.All(named, path => Assert.True(Exists(path), $"tool/README.md names {path}"));
    }

    static bool IsRelative(string link) => !link.Contains("://", StringComparison.Ordinal) && !link.StartsWith('#');

    static string Anchor(string heading) => heading.TrimStart('#', ' ').Replace(' ', '-').ToLowerInvariant();

    static bool Exists(string path) => Path.Combine(SourceTree.Root, path) is var full && (File.Exists(full) || Directory.Exists(full));
}

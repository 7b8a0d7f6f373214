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
    public void Links_to_a_heading_lead_to_one_of_that_page()
    {
        var links = Pages.SelectMany(page => page.Links.Where(link => !link.Contains("://", StringComparison.Ordinal))
            .Select(link => link.Split('#')).Where(link => link.Length > 1)
            .Select(link => (Page: page, File: link[0], Anchor: link[1]))).ToArray();
        Assert.True(links.Length > 10, $"only {links.Length} links to headings were recognised");
        Assert.All(links, link =>
        {
            var target = link.File.Length == 0 ? link.Page
                : MarkdownText.Of(Path.Combine(Path.GetDirectoryName(link.Page.Path)!, link.File));
            Assert.True(target.Anchors.Contains(link.Anchor), $"{link.Page.Path} points to {target.Path}#{link.Anchor}");
        });
    }

    [Fact]
    public void Every_file_of_the_walkthrough_exists_and_the_first_is_the_program()
    {
        var named = MarkdownText.Of("tool/README.md").Code.Where(code => code.EndsWith(".cs", StringComparison.Ordinal)).ToArray();
        Assert.Equal("tool/Program.cs", named[0]);
        Assert.True(named.Length > 20, $"only {named.Length} files were recognised");
        Assert.All(named, path => Assert.True(Exists(path), $"tool/README.md names {path}"));
    }

    static bool IsRelative(string link) => !link.Contains("://", StringComparison.Ordinal) && !link.StartsWith('#');

    static bool Exists(string path) => Path.Combine(SourceTree.Root, path) is var full && (File.Exists(full) || Directory.Exists(full));
}

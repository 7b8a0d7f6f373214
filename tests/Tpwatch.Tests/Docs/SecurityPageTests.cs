using System.Text.RegularExpressions;
using Tpwatch.Tests.Structure;

namespace Tpwatch.Tests.Docs;

/// <summary>What the page of security promises has a test, and each test that it names is there.</summary>
public sealed partial class SecurityPageTests
{
    const int Least = 14;

    [Fact]
    public void Every_test_that_is_named_exists()
    {
        var page = MarkdownText.Of("docs/security.md");
        var named = page.Code.Select(code => TestName.Match(code)).Where(match => match.Success).ToArray();
        Assert.InRange(named.Length, Least, int.MaxValue);
        Assert.All(named, test => Assert.True(
            SourceTree.CSharp.Any(file => file.Path.EndsWith($"/{test.Groups["type"].Value}.cs", StringComparison.Ordinal)
                && file.Text.Contains($" {test.Groups["method"].Value}(", StringComparison.Ordinal)),
            $"there is no test {test.Value}"));
    }

    /// <summary>A row of what others may do without a test is a promise without one.</summary>
    [Fact]
    public void Everything_that_others_may_do_has_a_test()
    {
        var rows = MarkdownText.Of("docs/security.md").Text.Split("## A hostile target")[1].Split('\n')
            .Where(line => line.StartsWith("| ", StringComparison.Ordinal) && !line.Contains("| Test |", StringComparison.Ordinal))
            .ToArray();
        Assert.InRange(rows.Length, Least, int.MaxValue);
        Assert.All(rows, row => Assert.Matches(TestCell, row));
    }

    [GeneratedRegex(@"^(?<type>\w+Tests)\.(?<method>\w+)$")]
    static partial Regex TestName { get; }

    [GeneratedRegex(@"\| `\w+Tests\.\w+` \|$")]
    static partial Regex TestCell { get; }
}

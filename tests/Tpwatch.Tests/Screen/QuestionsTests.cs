using System.Globalization;
using System.Text;
using Tpwatch.Cli;
using Tpwatch.Tests.Docs;

namespace Tpwatch.Tests.Screen;

/// <summary>Each question of the documentation is answered on a real recording, within three keys.</summary>
public sealed class QuestionsTests
{
    const int MostKeys = 3;
    const int Fewest = 10;

    public static TheoryData<string> Asked => [.. Questions.All.Select(q => q.Asked)];

    [Theory]
    [MemberData(nameof(Asked))]
    public async Task It_is_answered_within_three_keys(string asked)
    {
        var question = Questions.All.Single(q => q.Asked == asked);
        Assert.InRange(question.Keys.Length, 0, MostKeys);
        ScreenScript.Of(await Questions.ReportAsync(question), 100, 30).With(new() { Imagine = WhatIfRunner.Of })
            .Press(question.Keys).Ticks(1).Expect(question.Answer).Run();
    }

    [Fact]
    public void The_page_lists_the_questions_with_their_keys()
    {
        Assert.InRange(Questions.All.Length, Fewest, int.MaxValue);
        var table = new StringBuilder("| question | keys | the answer stands in |\n|---|---|---|\n");
        foreach (var question in Questions.All)
        {
            var keys = question.Keys.Length == 0 ? "none" : string.Join(' ', question.Keys.Select(k => $"`{k}`"));
            table.Append(CultureInfo.InvariantCulture, $"| {question.Asked} | {keys} | {question.Where} |\n");
        }

        GoldenPart.Verify("tool/README.md", "questions", table.ToString());
    }
}

using System.Text.Json;
using Tpwatch.Export;
using Tpwatch.Reports;
using Tpwatch.Tests.Replay;
using Tpwatch.Text;
using Tpwatch.WhatIf;

namespace Tpwatch.Tests.Render.Text;

public sealed class WhatIfRendererTests
{
    [Theory]
    [InlineData("pool-burst", 100)]
    [InlineData("trickle", 40)]
    public async Task An_answer_looks_like_its_golden_file(string name, int min)
    {
        var (report, answer) = await AnswerAsync(name, new() { Min = min });
        var text = WhatIfRenderer.Render(report, answer);

        Golden.Verify($"Render/whatif-{name}.txt", text);
        Assert.All(text.Split('\n'), line => Assert.True(line.Length <= 100 && line.All(c => c is >= ' ' and <= '~'), line));
    }

    [Fact]
    public async Task The_document_carries_its_schema_and_a_curve_within_bounds()
    {
        var (report, answer) = await AnswerAsync("pool-burst", new() { Policy = PolicyKind.Clr35, WindowsClock = true });
        var json = JsonWhatIfRenderer.Render(report, answer, DateTime.UnixEpoch, "0.0.0", false);
        var document = JsonDocument.Parse(json).RootElement;

        Golden.Verify("Render/whatif-pool-burst.json", json);
        Assert.Equal("tpwatch-whatif/1", document.GetProperty("schema").GetString());
        Assert.Equal("clr35", document.GetProperty("change").GetProperty("policy").GetString());
        Assert.Equal(200, document.GetProperty("curve").GetArrayLength());
    }

    [Fact]
    public async Task A_report_carries_what_was_tried_in_text_and_json()
    {
        var report = StandardWhatIfs.AddTo(await TestRecordings.ReplayAsync(TestRecordings.File("pool-burst")), new EstimatedItems());
        var text = TextReportRenderer.Render(report, TimeStyle.Utc, showCommandLine: false);
        using var json = JsonDocument.Parse(TestRecordings.Json(report));

        Golden.Verify("Render/whatif-section.txt", string.Join('\n', WhatIfRenderer.Section(report)) + "\n");
        Assert.Contains("\nWhat if (times since the first item was queued)\n  > MinThreads 30: all items complete after", text,
            StringComparison.Ordinal);
        Assert.Equal("MinThreads 30", json.RootElement.GetProperty("whatIf")[0].GetProperty("change").GetString());
    }

    static async Task<(PoolReport Report, WhatIfAnswer Answer)> AnswerAsync(string name, WhatIfChange change)
    {
        var report = await TestRecordings.ReplayAsync(TestRecordings.File(name));
        return (report, WhatIfStudy.Of(report, new EstimatedItems(), out _)!.Answer(change));
    }
}

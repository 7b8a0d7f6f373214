namespace Tpwatch.Text;

/// <summary>The whole report: the short report first, then the sections that support it. At most 100 columns, no colour.</summary>
static class TextReportRenderer
{
    /// <summary>The whole report; ends with a line break.</summary>
    public static string Render(PoolReport report, TimeStyle time, bool showCommandLine)
    {
        IEnumerable<string>[] sections =
        [
            TextLayout.Lines(ShortReportRenderer.Texts(report, time), TextLayout.Width),
            OverviewRenderer.Lines(report, time),
            FindingRenderer.Lines(report),
            WhatIfRenderer.Section(report),
            BlockersRenderer.Lines(report),
            InsideRenderer.Lines(report, time),
            RequestsRenderer.Lines(report),
            ItemsRenderer.Lines(report, time),
            DelayTableRenderer.Lines(report, time),
            TargetRenderer.Lines(report.Timeline.Target, showCommandLine),
            CaptureRenderer.Lines(report, time),
        ];
        var texts = sections.Select(lines => string.Join('\n', lines)).Where(text => text.Length > 0);
        return string.Join("\n\n", texts) + "\n";
    }
}

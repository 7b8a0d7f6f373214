using System.Security.Cryptography;
using System.Text;
using Tpwatch.Text;
using Tpwatch.WhatIf;

namespace Tpwatch.Html;

/// <summary>What a page needs beside the report.</summary>
/// <param name="Answers">The changes that the report tried, with their curves.</param>
/// <param name="Now">The moment of writing, UTC; a replay's page carries the end of the recording instead.</param>
/// <param name="Version">Version of the tool.</param>
/// <param name="ShowCommandLine">Whether the target's command line is written in full.</param>
/// <param name="Time">How moments are written.</param>
sealed record PageRequest(ImmutableArray<WhatIfAnswer> Answers, DateTime Now, string Version, bool ShowCommandLine, TimeStyle Time);

/// <summary>
/// The report as one page that needs nothing from elsewhere. Its policy allows its own style and script by their hashes and nothing else,
/// so that even markup that got in would load and run nothing.
/// </summary>
static class HtmlReportRenderer
{
    /// <summary>The page; ends with a line break.</summary>
    public static string Render(PoolReport report, PageRequest request)
    {
        Markup[] sections =
        [
            VerdictSection.Of(report, request.Time), TimelineSection.Of(report, request.Time), FindingsSection.Of(report),
            WaitsSection.Of(report, request.Time), WhatIfSection.Of(report, request.Answers),
            BlockersSection.Of(report), InsideSection.Of(report), RequestsSection.Of(report), LatencySection.Of(report),
            CaptureSection.Of(report, request),
        ];
        var body = Markup.Join(sections);
        return Page(report, request, Markup.Of($"{body}{GlossarySection.Of(report, body.Source)}")).Source;
    }

    static Markup Page(PoolReport report, PageRequest request, Markup body)
    {
        var (style, script) = (Assets.TimelineCss + Assets.PageCss, Assets.PageScript);
        var timeline = report.Timeline;
        var written = timeline.Source == SessionSource.Recording ? timeline.UtcOf(timeline.Now) : request.Now;
        return Markup.Of($"""
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '{Hash(style)}'; script-src '{Hash(script)}'; img-src data:; base-uri 'none'; form-action 'none'">
            <meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
            <title>{VerdictWords.Of(report)}: {timeline.Target.Name}, thread pool report</title>
            <style>{new Markup(style)}</style></head>
            <body><a class="skip" href="#findings">To the findings</a>
            <main>{body}</main>
            <footer>Written {Format.Utc(written)} by dotnet tpwatch {request.Version}. This page needs no network and holds everything it shows.</footer>
            <script>{new Markup(script)}</script></body></html>

            """);
    }

    // Quotes and letters of a base64 hash need no escape.
    static Markup Hash(string content) => new($"sha256-{Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(content)))}");
}

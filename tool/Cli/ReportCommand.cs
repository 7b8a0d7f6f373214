using System.CommandLine;
using Tpwatch.Run;
using Tpwatch.WhatIf;

namespace Tpwatch.Cli;

/// <summary>The command <c>report</c>: writes one report on a process watched for a while, on a recording, or on a core dump.</summary>
sealed class ReportCommand(CommandContext context)
{
    readonly DocumentRun look = new(context, "reports", hasVerbose: true, CaptureDepth.Auto, ReportDocuments.Formats)
    {
        Reads = "A recording or a core dump to read, instead of a process.",
    };
    readonly FailOnOption failOn = new();

    public Command Create() => new Command("report", "Watch a process for a while, or read a recording, and write a report.")
        .With([.. look.All, failOn.Option]).Does(RunAsync);

    Task<int> RunAsync(ParseResult parse)
    {
        var conditions = failOn.Read(parse);
        if (look.Dump(parse) is { } dump)
        {
            return conditions.IsEmpty ? new DumpReportRun(context).RunAsync(dump, look.Printed(parse))
                : throw new UserErrorException(
                    "one moment does not answer --fail-on", "leave it out, or give a recording", ExitCode.Arguments);
        }

        return look.RunAsync(
            parse,
            (report, printed) =>
            {
                var answers = ReportDocuments.TellsWhatIf(printed)
                    ? StandardWhatIfs.Answers(report, new MeasuredItems(new EstimatedItems()))
                    : [];
                var whole = StandardWhatIfs.AddTo(report, answers);
                return (new ReportDocuments(context, conditions) { Answers = answers }.Render(whole, printed), whole);
            },
            (code, report, about) => FailOnExit.Conclude(code, report, conditions, about),
            // A condition of --fail-on is about the whole duration, so a watch with conditions does not end early.
            mayEndEarly: conditions.IsEmpty);
    }
}

using System.Text;

namespace Tpwatch.Serve;

/// <summary>
/// The series as text. The two formats name the same series with the same labels, so that a query works whichever was asked for:
/// they differ in how a family is announced, and in the last line.
/// </summary>
static class Exposition
{
    public const string TextType = "text/plain; version=0.0.4; charset=utf-8";

    public const string OpenType = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    public static string Write(ImmutableArray<TargetState> targets, OwnState own, bool open)
    {
        var text = new StringBuilder();
        foreach (var instrument in TargetInstruments.All)
        {
            var begun = false;
            foreach (var target in targets)
            {
                begun |= Series(text, instrument, target, target.Labels, open && !begun ? Open : begun ? null : Plain);
            }
        }

        foreach (var instrument in OwnInstruments.All)
        {
            Series(text, instrument, own, "", open ? Open : Plain);
        }

        return text.Append(open ? "# EOF\n" : "").ToString();
    }

    // A family is announced once, before its first series.
    static bool Series<T>(
        StringBuilder text, Instrument<T> instrument, T source, string labels, Func<string, InstrumentKind, string, string>? announce)
    {
        var any = false;
        foreach (var point in instrument.Read(source))
        {
            if (!any && announce is not null)
            {
                text.Append(announce(instrument.Name, instrument.Kind, instrument.Help));
            }

            any = true;
            text.Append(instrument.Name).Append(point.Part).Append(instrument.Ending);
            var both = labels.Length > 0 && point.Labels.Length > 0;
            if (labels.Length > 0 || point.Labels.Length > 0)
            {
                text.Append('{').Append(labels).Append(both ? "," : "").Append(point.Labels).Append('}');
            }

            text.Append(' ').Append(Number(point.Value)).Append('\n');
        }

        return any;
    }

    static string Open(string name, InstrumentKind kind, string help) =>
        $"# HELP {name} {help}\n# TYPE {name} {TargetInstruments.Word(kind)}\n";

    static string Plain(string name, InstrumentKind kind, string help)
    {
        var (ending, word) = kind switch
        {
            InstrumentKind.Counter => ("_total", "counter"),
            InstrumentKind.Info => ("_info", "gauge"),
            InstrumentKind.Histogram => ("", "histogram"),
            _ => ("", "gauge"),
        };
        return $"# HELP {name}{ending} {help}\n# TYPE {name}{ending} {word}\n";
    }

    static string Number(double value) =>
        double.IsPositiveInfinity(value) ? "+Inf" : value.ToString("0.############", CultureInfo.InvariantCulture);
}

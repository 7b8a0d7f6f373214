namespace Tpwatch.Serve;

/// <summary>
/// The instruments as a request to export metrics. A name is that of the series with its unit beside it rather than at its end, so that a
/// collector that writes for Prometheus comes to the very names of <c>/metrics</c>, and the same rules and dashboards hold.
/// </summary>
sealed class MetricsMessage(FleetSnapshot seen, string host)
{
    const int Cumulative = 2;
    const int Yes = 1;

    readonly ulong at = Nanoseconds(seen.At);
    readonly ulong since = (ulong)(seen.Own.StartedAt * 1e9);

    /// <summary>The whole request.</summary>
    public static ReadOnlyMemory<byte> Of(FleetSnapshot seen, string host) => new MetricsMessage(seen, host).Request().Written;

    public static ulong Nanoseconds(DateTime at) => (ulong)(at - DateTime.UnixEpoch).Ticks * TimeSpan.NanosecondsPerTick;

    Message Request()
    {
        var scope = new Message().Inner(1, Attributes.Scope(seen.Own.Version));
        foreach (var instrument in TargetInstruments.All)
        {
            Add(scope, instrument, seen.Targets.SelectMany(t => instrument.Read(t).Select(point => new Labelled(t.Labels, point))));
        }

        foreach (var instrument in OwnInstruments.All)
        {
            Add(scope, instrument, instrument.Read(seen.Own).Select(point => new Labelled("", point)));
        }

        return new Message().Inner(1, new Message().Inner(1, Attributes.Resource(host, seen.Own.Version)).Inner(2, scope));
    }

    void Add<T>(Message scope, Instrument<T> instrument, IEnumerable<Labelled> points)
    {
        var (name, unit) = Named(instrument.Name, instrument.Kind);
        var metric = new Message().Text(1, name).Text(2, instrument.Help).Text(3, unit);
        var data = new Message();
        foreach (var point in instrument.Kind == InstrumentKind.Histogram ? Histograms(points) : points.Select(Value))
        {
            data.Inner(1, point);
        }

        // Nothing is known of it just now.
        if (data.Written.IsEmpty)
        {
            return;
        }

        scope.Inner(2, instrument.Kind switch
        {
            InstrumentKind.Histogram => metric.Inner(9, data.Number(2, Cumulative)),
            InstrumentKind.Counter => metric.Inner(7, data.Number(2, Cumulative).Number(3, Yes)),
            _ => metric.Inner(5, data),
        });
    }

    /// <summary>The name without its unit, its first word apart; and the unit as OpenTelemetry writes it.</summary>
    public static (string Name, string Unit) Named(string name, InstrumentKind kind)
    {
        var (bare, unit) = name.EndsWith("_seconds", StringComparison.Ordinal) ? (name[..^"_seconds".Length], "s")
            : name.EndsWith("_bytes", StringComparison.Ordinal) ? (name[..^"_bytes".Length], "By")
            : (name, "");
        var first = bare.IndexOf('_', StringComparison.Ordinal);
        return ($"{bare[..first]}.{bare[(first + 1)..]}{(kind == InstrumentKind.Info ? "_info" : "")}", unit);
    }

    Message Value(Labelled of)
    {
        var point = new Message().Fixed(2, since).Fixed(3, at).Real(4, of.Point.Value);
        Attributes.AddLabels(point, 7, of.Labels);
        Attributes.AddLabels(point, 7, of.Point.Labels);
        return point;
    }

    // Classes come in order, each with all that is shorter, then the sum, then the count, which ends one histogram.
    IEnumerable<Message> Histograms(IEnumerable<Labelled> points)
    {
        List<ulong> below = [];
        var sum = 0.0;
        foreach (var (labels, point) in points)
        {
            switch (point.Part)
            {
                case "_bucket":
                    below.Add((ulong)point.Value);
                    break;
                case "_sum":
                    sum = point.Value;
                    break;
                default:
                    yield return Histogram(labels, point, below, sum);
                    below.Clear();
                    break;
            }
        }
    }

    Message Histogram(string labels, Point count, List<ulong> below, double sum)
    {
        var each = below.Select((upTo, i) => i == 0 ? upTo : upTo - below[i - 1]).ToArray();
        var bounds = DelayHistogram.Bounds.Select(BitConverter.DoubleToUInt64Bits).ToArray();
        var point = new Message().Fixed(2, since).Fixed(3, at)
            .Fixed(4, (ulong)count.Value).Real(5, sum).Several(6, each).Several(7, bounds);
        Attributes.AddLabels(point, 9, labels);
        Attributes.AddLabels(point, 9, count.Labels);
        return point;
    }

    /// <summary>A value with the labels of its process.</summary>
    /// <param name="Labels">As they are written; empty for the watcher's own.</param>
    /// <param name="Point">The value, with its own labels.</param>
    readonly record struct Labelled(string Labels, Point Point);
}

namespace Tpwatch.Serve;

/// <summary>Events as a request to export logs; a process is named as OpenTelemetry names processes.</summary>
static class LogsMessage
{
    const int AttributesField = 6;

    /// <summary>The whole request.</summary>
    public static ReadOnlyMemory<byte> Of(IEnumerable<FleetEvent> events, string host, string version)
    {
        var scope = new Message().Inner(1, Attributes.Scope(version));
        foreach (var one in events)
        {
            scope.Inner(2, Record(one));
        }

        return new Message().Inner(1, new Message().Inner(1, Attributes.Resource(host, version)).Inner(2, scope)).Written;
    }

    static Message Record(FleetEvent one)
    {
        var at = MetricsMessage.Nanoseconds(one.At);
        var record = new Message().Fixed(1, at).Number(2, (int)one.Severity).Text(3, one.Severity.ToString().ToUpperInvariant())
            .Inner(5, new Message().Text(1, one.Text));
        Attributes.Add(record, AttributesField, "process.pid", one.Pid);
        foreach (var (name, value) in LabelText.Read(one.Labels))
        {
            Attributes.Add(record, AttributesField, Known(name), value);
        }

        Add(record, "tpwatch.verdict", one.Verdict);
        Add(record, "tpwatch.finding.id", one.Finding);
        if (one.Seconds is { } seconds)
        {
            Attributes.Add(record, AttributesField, "tpwatch.episode.duration", seconds);
        }

        return record.Fixed(11, at).Text(12, one.Name);
    }

    static void Add(Message record, string name, string? value)
    {
        if (value is not null)
        {
            Attributes.Add(record, AttributesField, name, value);
        }
    }

    static string Known(string label) => label switch
    {
        "process" => "process.executable.name",
        "container_id" => "container.id",
        _ => "tpwatch." + label,
    };
}

namespace Tpwatch.Serve;

/// <summary>Names with values, and what else every message has: who speaks.</summary>
static class Attributes
{
    const string Us = "tpwatch";

    /// <summary>The machine and the watcher, as OpenTelemetry calls them; the same whichever process a value is about.</summary>
    public static Message Resource(string host, string version)
    {
        Message resource = new();
        Add(resource, 1, "service.name", Us);
        Add(resource, 1, "service.version", version);
        Add(resource, 1, "service.instance.id", host);
        Add(resource, 1, "host.name", host);
        return resource;
    }

    /// <summary>What made the values.</summary>
    public static Message Scope(string version) => new Message().Text(1, Us).Text(2, version);

    public static void Add(Message message, int field, string name, string value) =>
        message.Inner(field, new Message().Text(1, name).Inner(2, new Message().Text(1, value)));

    public static void Add(Message message, int field, string name, long value) =>
        message.Inner(field, new Message().Text(1, name).Inner(2, new Message().Number(3, value)));

    public static void Add(Message message, int field, string name, double value) =>
        message.Inner(field, new Message().Text(1, name).Inner(2, new Message().Real(4, value)));

    /// <summary>Labels as a series has them.</summary>
    public static void AddLabels(Message message, int field, string labels)
    {
        foreach (var (name, value) in LabelText.Read(labels))
        {
            Add(message, field, name, value);
        }
    }
}

namespace Tpwatch.Options;

/// <summary>Where a collector takes OTLP over HTTP, without the path of a signal: <c>http://127.0.0.1:4318</c>.</summary>
static class CollectorAddress
{
    /// <summary>Reads it. A name and password would stand in every list of processes.</summary>
    public static bool TryParse(string text, out Uri address)
    {
        var read = Uri.TryCreate(text, UriKind.Absolute, out var found)
            && found is { Scheme: "http" or "https", UserInfo: "", Query: "", Fragment: "" };
        address = found ?? new("http://127.0.0.1/");
        return read;
    }
}

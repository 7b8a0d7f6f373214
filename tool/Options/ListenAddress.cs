using System.Net;

namespace Tpwatch.Options;

/// <summary>An address to listen on, as it is written: <c>127.0.0.1:9464</c>, <c>[::1]:9464</c>, <c>localhost:9464</c>.</summary>
static class ListenAddress
{
    const string Localhost = "localhost:";

    /// <summary>This machine alone, on the port that exporters of OpenTelemetry use by default.</summary>
    public static IPEndPoint Default { get; } = new(IPAddress.Loopback, 9464);

    /// <summary>Reads it; a name other than localhost may mean several addresses and is none.</summary>
    public static bool TryParse(string text, out IPEndPoint address)
    {
        var numbers = text.StartsWith(Localhost, StringComparison.OrdinalIgnoreCase) ? "127.0.0.1:" + text[Localhost.Length..] : text;
        var hasPort = numbers.LastIndexOf(':') > numbers.LastIndexOf(']') && (numbers.StartsWith('[') || numbers.Count(c => c == ':') == 1);
        address = Default;
        if (!hasPort || !IPEndPoint.TryParse(numbers, out var read))
        {
            return false;
        }

        address = read;
        return true;
    }
}

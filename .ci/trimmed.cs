#:property PublishAot=false
#:property ArtifactsPath=../artifacts/build
#:property NoWarn=CA1849;CA2007;CA1515;CA1305

// Holds the single file, which is trimmed, against the whole tool on recordings: what each says must be the same to the byte. The words
// are the trimmed program, the whole one's assembly, a folder for files, and recordings; some of other kinds are added.
using System.Diagnostics;
using System.IO.Compression;

var (trimmed, whole, folder) = (args[0], args[1], args[2]);
var different = 0;
foreach (var recording in args.Skip(3).Concat(OfOtherKinds()))
{
    string[] asked = ["report", recording, "--format", "json"];
    var (first, second) = (RunAsync(trimmed, asked), RunAsync("dotnet", [whole, .. asked]));
    var (packed, built) = (await first, await second);
    if (packed != built || built.Output.Length + built.Error.Length == 0)
    {
        Console.WriteLine($"{recording}: the trimmed tool says\n{packed}\nand the whole one\n{built}");
        different++;
    }
}

Console.WriteLine($"{args.Length - 3} recordings and those of other kinds: {different} are told in another way by the trimmed tool");
return different == 0 ? 0 : 1;

// By deep probes, by a runtime for everybody, and two that are left to the library: of another format, and broken.
IEnumerable<string> OfOtherKinds()
{
    foreach (var deep in Directory.GetFiles("tests/Recordings/Deep", "*.nettrace.json"))
        yield return deep[..^".json".Length];
    foreach (var packed in Directory.GetFiles("tests/Recordings/Foreign", "*.nettrace.gz"))
    {
        var unpacked = Path.Combine(folder, Path.GetFileNameWithoutExtension(packed));
        using (var from = new GZipStream(File.OpenRead(packed), CompressionMode.Decompress))
        using (var to = File.Create(unpacked))
            from.CopyTo(to);
        yield return unpacked;
    }

    var bytes = File.ReadAllBytes("tests/Recordings/pool-burst.nettrace");
    foreach (var version in (byte[])[3, 5])
    {
        // The version of the object that begins the trace.
        bytes[35] = version;
        var other = Path.Combine(folder, $"version-{version}.nettrace");
        File.WriteAllBytes(other, bytes);
        yield return other;
    }
}

static async Task<(int Code, string Output, string Error)> RunAsync(string program, string[] words)
{
    using var process = Process.Start(
        new ProcessStartInfo(program, words) { RedirectStandardOutput = true, RedirectStandardError = true })!;
    var error = process.StandardError.ReadToEndAsync();
    var output = await process.StandardOutput.ReadToEndAsync();
    await process.WaitForExitAsync();
    return (process.ExitCode, output, await error);
}

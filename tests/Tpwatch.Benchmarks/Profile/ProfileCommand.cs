namespace Tpwatch.Benchmarks.Profile;

/// <summary>
/// Which methods the tool's short looks run, as the profile by which the package's images are compiled (tool/Startup.mibc): each look is
/// run once, and the runtime writes down what it compiles. To be run again when what a look does has changed much: methods that are not in
/// the profile are compiled at each start, and nothing else happens.
/// </summary>
static class ProfileCommand
{
    /// <summary>Beside the project that compiles by it.</summary>
    static string File => Path.Combine(BuiltPrograms.Root, "tool", "Startup.mibc");

    public static async Task<int> RunAsync(string[] args)
    {
        if (args is not [])
            return new Words(args).Refuse("profile takes no arguments");
        var folder = Directory.CreateTempSubdirectory("tpwatch-profile-").FullName;
        try
        {
            var traces = await TracedLooks.RunAsync(folder);
            using var methods = new CompiledMethods(Path.GetDirectoryName(BuiltPrograms.WholeTool)!);
            foreach (var (look, trace) in traces)
                Console.WriteLine(FormattableString.Invariant($"{look}: {methods.Read(trace)} methods compiled"));
            var count = ProfileFile.Write(File, methods.Found);
            Console.WriteLine(FormattableString.Invariant($"{File}: {count} methods, {new FileInfo(File).Length} bytes"));
            return 0;
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }
}

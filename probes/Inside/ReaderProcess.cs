using System.Runtime.InteropServices;
using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.Diagnostics.Runtime;
using Tpwatch.Recordings;
using Tpwatch.Reports;

namespace Tpwatch.Inside;

/// <summary>
/// The child that reads: it opens the target's memory, becomes the target's user for good, and only then loads the runtime's debugging
/// library, which comes from the target's own folder. It dies with its parent. Linux, 64 bits.
/// </summary>
static partial class ReaderProcess
{
    const string Library = "libmscordaccore.so";

    /// <summary>Bytes at the beginning of the runtime's library that tell its build.</summary>
    const int Header = 1024;

    const int DieWithParent = 1;
    const int NoNewPrivileges = 38;
    const int Kill = 9;

    /// <summary>Reads a process; see <see cref="Run"/>.</summary>
    public static bool ReadProcess(int pid, bool scan, TextWriter output, TextWriter error) => Run(() => Read(pid, scan), output, error);

    /// <summary>Reads a core dump; see <see cref="Run"/>.</summary>
    public static bool ReadDump(string file, TextWriter output, TextWriter error) => Run(() => Read(file), output, error);

    /// <summary>Writes one line of JSON; else says in one sentence on standard error why it cannot.</summary>
    /// <returns>Whether it has read.</returns>
    static bool Run(Func<InsideReading> read, TextWriter output, TextWriter error)
    {
#pragma warning disable CA1031 // whatever the foreign library runs into costs the answer, and is said
        try
        {
            if (!OperatingSystem.IsLinux() || !Environment.Is64BitProcess)
            {
                throw new InsideException("memory is read on Linux of 64 bits only");
            }

            // What is thrown where the native library calls back passes no handler of ours.
            AppDomain.CurrentDomain.UnhandledException += (_, e) =>
            {
                error.WriteLine(Failed(e.ExceptionObject));
                Environment.Exit((int)ExitCode.NoSession);
            };
            _ = Control(DieWithParent, Kill, 0, 0, 0);
            output.WriteLine(JsonSerializer.Serialize(read(), InsideJson.Default.InsideReading));
            return true;
        }
        catch (UnauthorizedAccessException)
        {
            error.WriteLine("that takes the same user or CAP_SYS_PTRACE, and ptrace_scope 0 under Yama.");
        }
        catch (Exception e) when (e is InsideException or IOException or InvalidDataException)
        {
            error.WriteLine($"{e.Message.TrimEnd('.')}.");
        }
        catch (Exception e)
        {
            error.WriteLine(Failed(e));
        }
#pragma warning restore CA1031
        return false;
    }

    static string Failed(object thrown) => $"the runtime's debugging library failed: {thrown.GetType().Name}.";

    static InsideReading Read(int pid, bool scan)
    {
        using var memory = LiveMemory.Open(pid);
        var runtime = memory.RuntimePath;
        var debugging = runtime is null ? null : DebuggingLibrary(pid, runtime);
        DropRights(pid);
        using var target = new DataTarget(memory, new DataTargetOptions());
        if (target.ClrVersions is not [var info, ..])
        {
            throw new InsideException("no .NET runtime was found in the process: it is no .NET program, or a NativeAOT one");
        }

        using var clr = info.CreateRuntime(
            debugging ?? throw new InsideException($"the runtime's debugging library ({Library}) is not beside it, as in a single file"),
            ignoreMismatch: true);
        return new InsideReader(clr, memory, TimeProvider.System).Read(scan);
    }

    static InsideReading Read(string file)
    {
        GiveUpNewRights();
        using var memory = new DumpMemory(file);
        using var target = new DataTarget(memory, new DataTargetOptions());
        if (target.ClrVersions is not [var info, ..])
        {
            throw new InsideException("no .NET runtime was found in it: it is cut off, or of another kind of program");
        }

        var runtime = info.ModuleInfo.FileName;
        var debugging = Path.Combine(Path.GetDirectoryName(runtime) ?? "", Library);
        if (!File.Exists(debugging) || !IsOf(memory, info.ModuleInfo.ImageBase, runtime))
        {
            throw new InsideException($"the runtime that wrote the dump is not on this machine, at {runtime}");
        }

        using var clr = info.CreateRuntime(debugging, ignoreMismatch: true);
        return new InsideReader(clr, live: null, TimeProvider.System).Read(scan: false);
    }

    // The same build begins with the same bytes, its id among them; of a dump that has left them out the path must do.
    static bool IsOf(DumpMemory memory, ulong image, string file)
    {
        Span<byte> there = stackalloc byte[Header];
        Span<byte> here = stackalloc byte[Header];
        using var stream = File.OpenRead(file);
        stream.ReadExactly(here);
        return memory.Read(image, there) < Header || there.SequenceEqual(here);
    }

    // Beside the runtime; that of another mount namespace by the target's own root.
    static string? DebuggingLibrary(int pid, string runtime)
    {
        var beside = Path.Combine(Path.GetDirectoryName(runtime)!, Library);
        return new[] { string.Create(CultureInfo.InvariantCulture, $"/proc/{pid}/root{beside}"), beside }.FirstOrDefault(File.Exists);
    }

    // The library is code from the target's folder. Whoever may become another user becomes the target's, and can never come back.
    static void DropRights(int pid)
    {
        GiveUpNewRights();
        var (user, group) = OwnerOf(pid);
        if (User() == 0 && user != 0 && (Groups(0, 0) != 0 || SetGroup(group, group, group) != 0 || SetUser(user, user, user) != 0))
        {
            throw new InsideException("the child could not give up its rights");
        }
    }

    static void GiveUpNewRights()
    {
        if (Control(NoNewPrivileges, 1, 0, 0, 0) != 0)
        {
            throw new InsideException("the child could not give up its rights");
        }
    }

    static (uint User, uint Group) OwnerOf(int pid)
    {
        var lines = File.ReadAllLines(string.Create(CultureInfo.InvariantCulture, $"/proc/{pid}/status"));
        uint Real(string name) => uint.Parse(
            lines.First(l => l.StartsWith(name, StringComparison.Ordinal)).Split('\t', StringSplitOptions.RemoveEmptyEntries)[1],
            CultureInfo.InvariantCulture);
        return (Real("Uid:"), Real("Gid:"));
    }

    [LibraryImport("libc", EntryPoint = "prctl", SetLastError = true)]
    private static partial int Control(int option, nuint a, nuint b, nuint c, nuint d);

    [LibraryImport("libc", EntryPoint = "geteuid")]
    private static partial uint User();

    [LibraryImport("libc", EntryPoint = "setgroups", SetLastError = true)]
    private static partial int Groups(nuint count, nint list);

    [LibraryImport("libc", EntryPoint = "setresgid", SetLastError = true)]
    private static partial int SetGroup(uint real, uint effective, uint saved);

    [LibraryImport("libc", EntryPoint = "setresuid", SetLastError = true)]
    private static partial int SetUser(uint real, uint effective, uint saved);
}

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    Converters = [typeof(CamelCaseEnum<InsidePart>), typeof(CamelCaseEnum<WaitEnd>)])]
[JsonSerializable(typeof(InsideReading))]
sealed partial class InsideJson : JsonSerializerContext;

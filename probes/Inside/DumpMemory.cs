using System.Reflection.PortableExecutable;
using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;

namespace Tpwatch.Inside;

/// <summary>
/// Memory of a core dump. What it left out of an assembly is read from the assembly's file, where that is the same. The library would look
/// for such a file at a server of symbols; so it is shown the runtime's own library and no assembly.
/// </summary>
sealed class DumpMemory : TargetMemory, IDisposable
{
    readonly DataTarget dump;
    readonly IDataReader memory;
    readonly ImmutableArray<ModuleInfo> assemblies;
    readonly ImmutableArray<ModuleInfo> libraries;
    readonly Dictionary<ulong, PEReader?> files = [];

    /// <exception cref="InvalidDataException">It is no core dump, or it ends too early.</exception>
    public DumpMemory(string file)
    {
        try
        {
            dump = DataTarget.LoadDump(file);
        }
        catch (ClrDiagnosticsException e)
        {
            throw new InvalidDataException("it is no whole core dump", e);
        }

        memory = dump.DataReader;
        ModuleInfo[] all = [.. memory.EnumerateModules()];
        assemblies = [.. all.Where(m => m.Kind == ModuleKind.PortableExecutable).OrderBy(m => m.ImageBase)];
        libraries = [.. all.Where(m => m.Kind != ModuleKind.PortableExecutable)];
    }

    public override string DisplayName => memory.DisplayName;
    public override OSPlatform TargetPlatform => memory.TargetPlatform;
    public override Architecture Architecture => memory.Architecture;
    public override int ProcessId => memory.ProcessId;

    public override IEnumerable<ModuleInfo> EnumerateModules() => libraries;

    public override void FlushCachedData() => memory.FlushCachedData();

    public override bool GetThreadContext(uint threadID, uint contextFlags, Span<byte> context) =>
        memory.GetThreadContext(threadID, contextFlags, context);

    public override int Read(ulong address, Span<byte> buffer)
    {
        var count = memory.Read(address, buffer);
        return count > 0 ? count : FromFile(address, buffer);
    }

    public void Dispose()
    {
        foreach (var file in files.Values)
        {
            file?.Dispose();
        }

        dump.Dispose();
    }

    int FromFile(ulong address, Span<byte> buffer)
    {
        var assembly = assemblies.LastOrDefault(a => a.ImageBase <= address);
        if (assembly is null || address - assembly.ImageBase >= (ulong)assembly.IndexFileSize || FileOf(assembly) is not { } file)
        {
            return 0;
        }

        var data = file.GetSectionData((int)(address - assembly.ImageBase)).GetContent();
        var count = Math.Min(data.Length, buffer.Length);
        data.AsSpan()[..count].CopyTo(buffer);
        return count;
    }

    PEReader? FileOf(ModuleInfo assembly)
    {
        if (files.TryGetValue(assembly.ImageBase, out var known))
        {
            return known;
        }

        if (!File.Exists(assembly.FileName))
        {
            return files[assembly.ImageBase] = null;
        }

        var file = new PEReader(File.OpenRead(assembly.FileName));
        var isSame = file.PEHeaders.CoffHeader.TimeDateStamp == assembly.IndexTimeStamp
            && file.PEHeaders.PEHeader?.SizeOfImage == assembly.IndexFileSize;
        if (!isSame)
        {
            file.Dispose();
        }

        return files[assembly.ImageBase] = isSame ? file : null;
    }
}

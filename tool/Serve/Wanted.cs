using Tpwatch.Options;
using Tpwatch.Text;

namespace Tpwatch.Serve;

/// <summary>Whether a process is one of those that were asked for.</summary>
static class Wanted
{
    public static bool Wants(this ServeRequest asked, ProcessRow row) => !asked.Except.Any(name => IsCalled(row, name))
        && ((asked.Names.IsEmpty && asked.Pids.IsEmpty) || row.Run is not null
            || asked.Names.Any(name => IsCalled(row, name)) || asked.Pids.Contains(row.Pid));

    static bool IsCalled(ProcessRow row, string name) =>
        row.Name.Equals(Bare(name), StringComparison.OrdinalIgnoreCase)
        || row.Executable?.Equals(name, StringComparison.OrdinalIgnoreCase) == true;

    static string Bare(string name) =>
        name.EndsWith(".dll", StringComparison.OrdinalIgnoreCase) || name.EndsWith(".exe", StringComparison.OrdinalIgnoreCase)
            ? name[..^".dll".Length]
            : name;
}

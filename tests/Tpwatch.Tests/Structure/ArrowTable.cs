using Tpwatch.Tests.Structure.Conventions;

namespace Tpwatch.Tests.Structure;

/// <summary>The arrows between the engine's rooms as a small table; <c>probes/README.md</c> shows it.</summary>
static class ArrowTable
{
    public static string Markdown()
    {
        var arrows = SourceTree.CSharp.Where(file => file.IsUnder("probes"))
            .Select(file => (House.Of(file)!.Value.Room, Named: Arrows.Named(file).Select(name => name.Room)))
            .GroupBy(file => file.Room)
            .ToDictionary(room => room.Key, room => room.SelectMany(file => file.Named).Distinct().OrderBy(Place).ToArray());
        return "| room | names |\n|---|---|\n" + string.Concat(House.Engine.Select(room => $"| {Name(room)} | {Names(arrows[room])} |\n"));
    }

    static int Place(string room) => Array.IndexOf(House.Engine, room);

    static string Names(string[] rooms) => rooms.Length == 0 ? "nothing" : string.Join(", ", rooms.Select(Name));

    static string Name(string room) => room.Length == 0 ? "the face" : room;
}

namespace Tpwatch.LiveTests.Fleet;

/// <summary>What protoc prints of a message: a field with its value, or with the fields within.</summary>
sealed record TextNode(string Name, string Value)
{
    public List<TextNode> Within { get; } = [];

    /// <summary>The value of a field within; empty where it is absent, as the protocol leaves out what is zero.</summary>
    public string this[string name] => Within.Find(node => node.Name == name)?.Value ?? "";

    public IEnumerable<TextNode> Of(string name) => All().Where(node => node.Name == name);

    public IEnumerable<TextNode> All() => Within.SelectMany(node => node.All().Prepend(node));

    /// <summary>Attributes as labels of a series are written, in order of their names.</summary>
    public string Labels() => string.Join(',', Within.Where(node => node.Name == "attributes")
        .Select(node => $"{node["key"]}=\"{node.Of("value").Single().Within.Single().Value}\"").Order(StringComparer.Ordinal));

    public static TextNode Parse(string text)
    {
        Stack<TextNode> open = new([new("", "")]);
        foreach (var line in text.Split('\n', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            var colon = line.IndexOf(':', StringComparison.Ordinal);
            if (line == "}")
            {
                open.Pop();
            }
            else if (line.EndsWith('{') && (colon < 0 || colon > line.Length - 3))
            {
                TextNode begun = new(line.TrimEnd('{', ' '), "");
                open.Peek().Within.Add(begun);
                open.Push(begun);
            }
            else
            {
                open.Peek().Within.Add(new(line[..colon], line[(colon + 1)..].Trim().Trim('"')));
            }
        }

        return open.Single();
    }
}

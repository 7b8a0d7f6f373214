using System.Text.Json;

namespace Tpwatch.Tests.Render.Json;

/// <summary>
/// As much of JSON Schema as our schemas use: type, enum, const, required, properties, additionalProperties, items, maxItems, oneOf, anyOf,
/// and references into the schema itself or into another one, by the name of its file.
/// </summary>
sealed class SchemaValidator(JsonElement schema, Func<string, JsonElement>? others = null)
{
    static readonly HashSet<string> Known =
    [
        "$schema", "$id", "title", "description", "$defs", "$ref", "type", "enum",
        "required", "properties", "additionalProperties", "items", "maxItems",
        "oneOf", "anyOf", "const", "default", "definitions",
    ];

    readonly List<string> errors = [];

    /// <summary>What is wrong with the document, each with the path of the place.</summary>
    public IReadOnlyList<string> Validate(JsonElement document)
    {
        errors.Clear();
        Check(document, schema, "$");
        return errors;
    }

    void Check(JsonElement value, JsonElement rule, string path)
    {
        foreach (var keyword in rule.EnumerateObject().Where(p => !Known.Contains(p.Name)))
        {
            errors.Add($"{path}: the schema uses '{keyword.Name}', which this validator does not know");
        }

        if (rule.TryGetProperty("$ref", out var reference))
        {
            Follow(value, reference.GetString()!, path);
            return;
        }

        CheckChoices(value, rule, path);
        CheckType(value, rule, path);
        CheckEnum(value, rule, path);
        if (value.ValueKind == JsonValueKind.Object)
        {
            CheckObject(value, rule, path);
        }

        if (value.ValueKind == JsonValueKind.Array)
        {
            CheckArray(value, rule, path);
        }
    }

    void Follow(JsonElement value, string reference, string path)
    {
        var parts = reference.Split('#');
        var root = parts[0].Length == 0 ? schema : others!(parts[0]);
        var rule = parts[1].Split('/', StringSplitOptions.RemoveEmptyEntries).Aggregate(root, (at, name) => at.GetProperty(name));
        errors.AddRange(new SchemaValidator(root, others).Errors(value, rule, path));
    }

    List<string> Errors(JsonElement value, JsonElement rule, string path)
    {
        Check(value, rule, path);
        return errors;
    }

    void CheckChoices(JsonElement value, JsonElement rule, string path)
    {
        foreach (var keyword in (string[])["oneOf", "anyOf"])
        {
            if (!rule.TryGetProperty(keyword, out var choices))
            {
                continue;
            }

            var wrongs = choices.EnumerateArray()
                .Select(choice => new SchemaValidator(schema, others).Errors(value, choice, path)).ToList();
            var right = wrongs.Count(w => w.Count == 0);
            if (right == 0 || (keyword == "oneOf" && right > 1))
            {
                errors.Add($"{path}: {right} of {keyword} are right");
                errors.AddRange(right == 0 ? wrongs.MinBy(w => w.Count)! : []);
            }
        }
    }

    void CheckType(JsonElement value, JsonElement rule, string path)
    {
        if (!rule.TryGetProperty("type", out var type))
        {
            return;
        }

        var allowed = type.ValueKind == JsonValueKind.Array
            ? type.EnumerateArray().Select(t => t.GetString()!).ToList()
            : [type.GetString()!];
        if (!allowed.Any(t => IsOf(value, t)))
        {
            errors.Add($"{path}: {value.ValueKind} is not {string.Join(" or ", allowed)}");
        }
    }

    static bool IsOf(JsonElement value, string type) => type switch
    {
        "object" => value.ValueKind == JsonValueKind.Object,
        "array" => value.ValueKind == JsonValueKind.Array,
        "string" => value.ValueKind == JsonValueKind.String,
        "number" => value.ValueKind == JsonValueKind.Number,
        "integer" => value.ValueKind == JsonValueKind.Number && value.TryGetInt64(out _),
        "boolean" => value.ValueKind is JsonValueKind.True or JsonValueKind.False,
        "null" => value.ValueKind == JsonValueKind.Null,
        _ => false,
    };

    void CheckEnum(JsonElement value, JsonElement rule, string path)
    {
        if (rule.TryGetProperty("const", out var word) && word.GetRawText() != value.GetRawText())
        {
            errors.Add($"{path}: {value.GetRawText()} is not {word.GetRawText()}");
        }

        if (rule.TryGetProperty("enum", out var words) && !words.EnumerateArray().Any(w => w.GetRawText() == value.GetRawText()))
        {
            errors.Add($"{path}: {value.GetRawText()} is none of {words.GetRawText()}");
        }
    }

    void CheckObject(JsonElement value, JsonElement rule, string path)
    {
        if (rule.TryGetProperty("required", out var required))
        {
            errors.AddRange(required.EnumerateArray().Where(r => !value.TryGetProperty(r.GetString()!, out _))
                .Select(r => $"{path}: lacks {r.GetString()}"));
        }

        foreach (var member in value.EnumerateObject())
        {
            CheckMember(member, rule, $"{path}.{member.Name}");
        }
    }

    void CheckMember(JsonProperty member, JsonElement rule, string path)
    {
        if (rule.TryGetProperty("properties", out var properties) && properties.TryGetProperty(member.Name, out var known))
        {
            Check(member.Value, known, path);
        }
        else if (rule.TryGetProperty("additionalProperties", out var others) && others.ValueKind == JsonValueKind.Object)
        {
            Check(member.Value, others, path);
        }
        else if (others.ValueKind == JsonValueKind.False)
        {
            errors.Add($"{path}: not in the schema");
        }
    }

    void CheckArray(JsonElement value, JsonElement rule, string path)
    {
        if (rule.TryGetProperty("maxItems", out var most) && value.GetArrayLength() > most.GetInt32())
        {
            errors.Add($"{path}: {value.GetArrayLength()} items are more than {most.GetInt32()}");
        }

        foreach (var (item, i) in rule.TryGetProperty("items", out var items) ? value.EnumerateArray().Select((item, i) => (item, i)) : [])
        {
            Check(item, items, $"{path}[{i}]");
        }
    }
}

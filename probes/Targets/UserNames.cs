namespace Tpwatch.Targets;

/// <summary>
/// User names from /etc/passwd; a user that is not listed there (of another container or a directory service) is shown by its number.
/// </summary>
sealed class UserNames(string passwd)
{
    readonly Dictionary<int, string> names = Load(passwd);

    /// <summary>The name of a user, or a few words for a user whose name is not known.</summary>
    public string Of(int? user) =>
        user is not { } id ? "unknown" : names.GetValueOrDefault(id, "user id " + id.ToString(CultureInfo.InvariantCulture));

    /// <summary>Whether /etc/passwd has no name for the user.</summary>
    public bool IsNameless(int user) => !names.ContainsKey(user);

    static Dictionary<int, string> Load(string passwd)
    {
        Dictionary<int, string> names = [];
        try
        {
            foreach (var line in File.ReadLines(passwd))
            {
                var fields = line.Split(':');
                if (fields.Length > 2 && int.TryParse(fields[2], NumberStyles.None, CultureInfo.InvariantCulture, out var id))
                {
                    names.TryAdd(id, fields[0]);
                }
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return names;
        }

        return names;
    }
}

namespace Tpwatch.Recordings;

/// <summary>A recording made from the events that a running observation retained.</summary>
/// <param name="Path">Path of the recording; its side-car is next to it.</param>
/// <param name="Bytes">Length of the stream.</param>
/// <param name="IsWhole">Whether it contains the capture from its beginning.</param>
sealed record SavedFlight(string Path, long Bytes, bool IsWhole)
{
    /// <summary>The side-car's remark if the recording does not begin with the capture.</summary>
    const string CutRemark = "This recording was saved while watching. The recording begins in the middle: older events were no longer "
        + "in memory.";

    /// <summary>
    /// Saves a tape, readable by its owner only; never overwrites another file. Throws <see cref="UserErrorException"/> if it cannot be
    /// written (exit code 3), or if nothing is retained (1).
    /// </summary>
    internal static SavedFlight Save(string path, FlightTape tape, SideCar sideCar)
    {
        if (!tape.HasEvents)
        {
            throw new UserErrorException(
                tape.Defect is { } why
                    ? $"no events are in memory to save: {why}"
                    : "no event has come yet, so there is nothing to save", "use dotnet tpwatch record instead", ExitCode.NoSession);
        }

        if (PrivateFile.IsThere(path) || PrivateFile.IsThere(SideCarFile.PathFor(path)))
        {
            throw new UserErrorException($"{path} or the .json file next to it exists already", "name another file", ExitCode.Arguments);
        }

        using var file = PrivateFile.CreateNew(path);
        try
        {
            // The file itself is unbuffered, and a day's tape has thousands of small blocks.
            using var buffered = new BufferedStream(file, 1 << 16);
            tape.WriteTo(buffered);
            buffered.Flush();
            SideCarFile.Write(
                SideCarFile.PathFor(path), sideCar with { Remarks = tape.IsCut ? sideCar.Remarks.Add(CutRemark) : sideCar.Remarks },
                over: false);
            return new(path, file.Length, !tape.IsCut);
        }
        catch (IOException e)
        {
            throw new UserErrorException($"{path} cannot be written: {e.Message}", "name another file", ExitCode.Arguments, e);
        }
    }
}

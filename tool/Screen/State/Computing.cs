namespace Tpwatch.Screen.State;

/// <summary>Whether threads that all have work can be computing, by how busy the processors were.</summary>
static class Computing
{
    /// <summary>With fewer busy processors a thread, most of the threads wait for something.</summary>
    const double Hardly = 0.25;

    /// <summary>Whether the busy processors were few against the threads; false where one of the numbers is not known.</summary>
    /// <param name="cpu">Share of all processors, 0 to 1.</param>
    /// <param name="processors">How many there are.</param>
    /// <param name="threads">Threads that could have kept them busy.</param>
    public static bool IsHardlySeen(double? cpu, int? processors, long? threads) => cpu * processors < Hardly * threads;
}

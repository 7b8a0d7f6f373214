namespace Tpwatch.Screen.State;

/// <summary>Estimates from the processor use whether busy worker threads compute or wait.</summary>
static class Computing
{
    /// <summary>With fewer busy processors per thread than this, most of the threads wait.</summary>
    const double Hardly = 0.25;

    /// <summary>Whether the threads used few processors for their number; false where one of the numbers is not known.</summary>
    /// <param name="cpu">Used share of all processors, 0 to 1.</param>
    /// <param name="processors">Number of processors.</param>
    /// <param name="threads">Number of threads that could have kept the processors busy.</param>
    public static bool IsHardlySeen(double? cpu, int? processors, long? threads) => cpu * processors < Hardly * threads;
}

using Tpwatch.Inside;

namespace Tpwatch.Tests.Inside;

/// <summary>What the runtime's own debugging code may be asked about: it crashes on anything that is no method table.</summary>
public sealed class MethodTablesTests
{
    const ulong Object = 0x10000000, Text = 0x10000100, Array = 0x10000200, Generic = 0x10000300, Suspended = 0x10000400;
    const ulong Classes = 0x1000, Parent = 0x10, Class = 0x28, Back = 0x18;

    readonly Dictionary<ulong, ulong> memory = [];

    public MethodTablesTests()
    {
        Add(Object, 0);
        Add(Text, Object);
        Add(Array, Object);
    }

    [Fact]
    public void A_table_is_known_by_its_class_and_its_parents()
    {
        Add(0x10000800, Text);
        Assert.True(Tables().Contains(Text));
        Assert.True(Tables().Contains(0x10000800));
    }

    [Fact]
    public void An_instance_of_a_generic_type_shares_the_class_of_another()
    {
        memory[Generic + Class] = Text | 1;
        memory[Generic + Parent] = Object;
        Assert.True(Tables().Contains(Generic));
    }

    [Fact]
    public void A_table_that_the_JIT_made_shares_a_class_that_does_not_name_it()
    {
        Add(Suspended, Object);
        memory[0x10000900 + Class] = Suspended + Classes;
        memory[0x10000900 + Parent] = Suspended;
        Assert.True(Tables(Suspended).Contains(0x10000900));
        Assert.False(Tables().Contains(0x10000900));
    }

    [Fact]
    public void Saved_frame_pointers_are_no_table_though_two_words_point_at_each_other()
    {
        const ulong frame = 0x7f811e7fb980;
        memory[frame + Class] = frame + 0x200;
        memory[frame + 0x200 + Back] = frame;
        memory[frame + Parent] = 0;
        Assert.False(Tables().Contains(frame));
        memory[frame + Parent] = frame;
        Assert.False(Tables().Contains(frame));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(0x10000101)]
    [InlineData(0x10000108)]
    [InlineData(ulong.MaxValue)]
    public void Anything_else_is_none(ulong address) => Assert.False(Tables().Contains(address));

    [Fact]
    public void Tables_that_are_laid_out_in_another_way_are_not_learned()
    {
        memory[Text + Classes + Back] = Object;
        Assert.Null(MethodTables.Learn(Word, [Object, Text, Array], continuation: null));
        Assert.Null(MethodTables.Learn(Word, [0, Object, Array], continuation: null));
    }

    MethodTables Tables(ulong? continuation = null) => MethodTables.Learn(Word, [Object, Text, Array, 0], continuation)!;

    ulong? Word(ulong address) => memory.TryGetValue(address, out var word) ? word : null;

    void Add(ulong table, ulong parent)
    {
        memory[table + Parent] = parent;
        memory[table + Class] = table + Classes;
        memory[table + Classes + Back] = table;
    }
}

# Completion of dotnet tpwatch in fish. Load it with: dotnet tpwatch completion fish | source
function __tpwatch_suggest
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l tool $words[1]
    set -l rest $words[2..]
    if test (path basename -- $tool) = dotnet
        set tool $tool tpwatch
        set rest $words[3..]
    end
    set -l line " "(string join ' ' -- $rest "$word")
    $tool "[suggest:"(string length -- $line)"]" $line 2>/dev/null
end

function __tpwatch_is_asked
    set -l words (commandline -opc)
    test (count $words) -gt 1; and test $words[2] = tpwatch
end

complete -c dotnet-tpwatch -a '(__tpwatch_suggest)'
complete -c dotnet -n __tpwatch_is_asked -a '(__tpwatch_suggest)'

# Completion of dotnet tpwatch in bash. Load it with: source <(dotnet tpwatch completion bash)
_tpwatch() {
    local line=${COMP_LINE:0:COMP_POINT} value about
    local -a tool=("${COMP_WORDS[0]/#\~/$HOME}") shown=()
    line=${line#"${COMP_WORDS[0]}"}
    if [[ ${COMP_WORDS[0]##*/} == dotnet ]]; then
        tool+=(tpwatch)
        line=${line#*tpwatch}
    fi

    COMPREPLY=()
    while IFS=$'\t' read -r value about; do
        COMPREPLY+=("$value")
        # A process id says nothing by itself. Of several, none is inserted, so that its name may stand behind it.
        [[ $value == [0-9]* && -n $about ]] && shown+=("$value  ($about)")
    done < <("${tool[@]}" "[suggest:${#line}]" "$line" 2>/dev/null)
    ((${#shown[@]} > 1)) && COMPREPLY=("${shown[@]}")
    return 0
}

# The other words of dotnet are completed as before.
_tpwatch_dotnet() {
    if [[ ${COMP_WORDS[1]} == tpwatch && $COMP_CWORD -gt 1 ]]; then
        _tpwatch
    elif [[ -n ${_tpwatch_before-} ]]; then
        "$_tpwatch_before" "$@"
    fi
}

if [[ $(complete -p dotnet 2>/dev/null) =~ -F\ ([^ ]+) && ${BASH_REMATCH[1]} != _tpwatch_dotnet ]]; then
    _tpwatch_before=${BASH_REMATCH[1]}
fi
complete -o default -F _tpwatch dotnet-tpwatch
complete -o default -F _tpwatch_dotnet dotnet

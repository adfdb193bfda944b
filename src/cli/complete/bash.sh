# Completion of @COMMAND@ in bash: asks the command itself.
_@COMMAND@_complete() {
    # Bash splits words at = and : as well. What has no blank before it belongs to the word before.
    local -a words=()
    local piece rest="$COMP_LINE" last=-1 i
    for ((i = 0; i <= COMP_CWORD; i++)); do
        piece="${COMP_WORDS[i]}"
        if ((i == 0)) || [[ "$rest" == [[:space:]]* || -z "$rest" && -z "$piece" ]]; then
            rest="${rest#"${rest%%[![:space:]]*}"}"
            last=$((last + 1))
            words[last]=""
        fi
        rest="${rest#"$piece"}"
        if ((i == COMP_CWORD)) && [[ -n "$2" || "$piece" != [=:]* ]]; then
            piece="$2"
        fi
        words[last]+="$piece"
    done
    # Of the word that is begun, bash replaces only the piece that it took for a word.
    local begun="${words[last]}"
    local kept="${begun%"$2"}" answer
    COMPREPLY=()
    while IFS= read -r answer; do
        COMPREPLY+=("${answer#"$kept"}")
    done < <(
        _CLAP_IFS=$'\n' _CLAP_COMPLETE_INDEX="$last" _CLAP_COMPLETE_COMP_TYPE="${COMP_TYPE:-9}" \
            _CLAP_COMPLETE_SPACE=false @VARIABLE@=bash @COMPLETER@ -- "${words[@]}" 2> /dev/null && echo
    )
    if [[ ${#COMPREPLY[@]} -eq 1 && -z "${COMPREPLY[0]}" ]]; then
        COMPREPLY=()
    fi
    # Where bash only lists them, what stands before the last comma is of no interest.
    if [[ "${COMP_TYPE:-9}" -eq 63 && ${#COMPREPLY[@]} -gt 1 ]]; then
        COMPREPLY=("${COMPREPLY[@]##*,}")
    fi
    # A key, a name or a folder goes on without a blank.
    if [[ "${COMPREPLY[0]-}" == *[=:/] ]]; then
        compopt -o nospace 2> /dev/null
    fi
}
if ((BASH_VERSINFO[0] > 4 || BASH_VERSINFO[0] == 4 && BASH_VERSINFO[1] >= 4)); then
    complete -o bashdefault -o nosort -F _@COMMAND@_complete @COMMAND@
else
    complete -o bashdefault -F _@COMMAND@_complete @COMMAND@
fi

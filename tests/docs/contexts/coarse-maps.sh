# Maps as printed, with twelve points along every axis: more of them, as on the page, take longer and try nothing else.
shopt -s extglob
lithe() { command lithe "${@/%:[1-9]+([0-9])/:12}"; }

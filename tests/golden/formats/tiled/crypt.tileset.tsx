<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.10.2" name="crypt.tileset" tilewidth="16" tileheight="16" spacing="0" margin="0" tilecount="1344" columns="16">
<image source="crypt.tileset.png" width="256" height="1344"/>
<tile id="0" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="1" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="2" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="2" duration="300"/>
<frame tileid="338" duration="300"/>
<frame tileid="674" duration="300"/>
<frame tileid="1010" duration="300"/>
</animation>
</tile>
<tile id="16" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="17" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="18" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="19" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="20" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="21" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="22" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="23" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="24" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="25" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="26" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="27" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="28" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="29" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="32" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="33" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="34" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="35" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="36" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="37" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="38" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="39" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="40" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="41" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="42" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="43" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="44" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="45" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="46" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="48" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="48" duration="300"/>
<frame tileid="384" duration="300"/>
<frame tileid="720" duration="300"/>
<frame tileid="1056" duration="300"/>
</animation>
</tile>
<tile id="49" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="49" duration="300"/>
<frame tileid="385" duration="300"/>
<frame tileid="721" duration="300"/>
<frame tileid="1057" duration="300"/>
</animation>
</tile>
<tile id="50" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="50" duration="300"/>
<frame tileid="386" duration="300"/>
<frame tileid="722" duration="300"/>
<frame tileid="1058" duration="300"/>
</animation>
</tile>
<tile id="51" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="51" duration="300"/>
<frame tileid="387" duration="300"/>
<frame tileid="723" duration="300"/>
<frame tileid="1059" duration="300"/>
</animation>
</tile>
<tile id="52" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="52" duration="300"/>
<frame tileid="388" duration="300"/>
<frame tileid="724" duration="300"/>
<frame tileid="1060" duration="300"/>
</animation>
</tile>
<tile id="53" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="53" duration="300"/>
<frame tileid="389" duration="300"/>
<frame tileid="725" duration="300"/>
<frame tileid="1061" duration="300"/>
</animation>
</tile>
<tile id="54" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="54" duration="300"/>
<frame tileid="390" duration="300"/>
<frame tileid="726" duration="300"/>
<frame tileid="1062" duration="300"/>
</animation>
</tile>
<tile id="55" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="55" duration="300"/>
<frame tileid="391" duration="300"/>
<frame tileid="727" duration="300"/>
<frame tileid="1063" duration="300"/>
</animation>
</tile>
<tile id="56" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="56" duration="300"/>
<frame tileid="392" duration="300"/>
<frame tileid="728" duration="300"/>
<frame tileid="1064" duration="300"/>
</animation>
</tile>
<tile id="57" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="57" duration="300"/>
<frame tileid="393" duration="300"/>
<frame tileid="729" duration="300"/>
<frame tileid="1065" duration="300"/>
</animation>
</tile>
<tile id="58" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="58" duration="300"/>
<frame tileid="394" duration="300"/>
<frame tileid="730" duration="300"/>
<frame tileid="1066" duration="300"/>
</animation>
</tile>
<tile id="59" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="59" duration="300"/>
<frame tileid="395" duration="300"/>
<frame tileid="731" duration="300"/>
<frame tileid="1067" duration="300"/>
</animation>
</tile>
<tile id="60" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="60" duration="300"/>
<frame tileid="396" duration="300"/>
<frame tileid="732" duration="300"/>
<frame tileid="1068" duration="300"/>
</animation>
</tile>
<tile id="61" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="61" duration="300"/>
<frame tileid="397" duration="300"/>
<frame tileid="733" duration="300"/>
<frame tileid="1069" duration="300"/>
</animation>
</tile>
<tile id="62" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="62" duration="300"/>
<frame tileid="398" duration="300"/>
<frame tileid="734" duration="300"/>
<frame tileid="1070" duration="300"/>
</animation>
</tile>
<tile id="63" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="63" duration="300"/>
<frame tileid="399" duration="300"/>
<frame tileid="735" duration="300"/>
<frame tileid="1071" duration="300"/>
</animation>
</tile>
<tile id="64" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="64" duration="300"/>
<frame tileid="400" duration="300"/>
<frame tileid="736" duration="300"/>
<frame tileid="1072" duration="300"/>
</animation>
</tile>
<tile id="65" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="65" duration="300"/>
<frame tileid="401" duration="300"/>
<frame tileid="737" duration="300"/>
<frame tileid="1073" duration="300"/>
</animation>
</tile>
<tile id="66" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="66" duration="300"/>
<frame tileid="402" duration="300"/>
<frame tileid="738" duration="300"/>
<frame tileid="1074" duration="300"/>
</animation>
</tile>
<tile id="67" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="67" duration="300"/>
<frame tileid="403" duration="300"/>
<frame tileid="739" duration="300"/>
<frame tileid="1075" duration="300"/>
</animation>
</tile>
<tile id="68" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="68" duration="300"/>
<frame tileid="404" duration="300"/>
<frame tileid="740" duration="300"/>
<frame tileid="1076" duration="300"/>
</animation>
</tile>
<tile id="69" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="69" duration="300"/>
<frame tileid="405" duration="300"/>
<frame tileid="741" duration="300"/>
<frame tileid="1077" duration="300"/>
</animation>
</tile>
<tile id="70" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="70" duration="300"/>
<frame tileid="406" duration="300"/>
<frame tileid="742" duration="300"/>
<frame tileid="1078" duration="300"/>
</animation>
</tile>
<tile id="71" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="71" duration="300"/>
<frame tileid="407" duration="300"/>
<frame tileid="743" duration="300"/>
<frame tileid="1079" duration="300"/>
</animation>
</tile>
<tile id="72" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="72" duration="300"/>
<frame tileid="408" duration="300"/>
<frame tileid="744" duration="300"/>
<frame tileid="1080" duration="300"/>
</animation>
</tile>
<tile id="73" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="73" duration="300"/>
<frame tileid="409" duration="300"/>
<frame tileid="745" duration="300"/>
<frame tileid="1081" duration="300"/>
</animation>
</tile>
<tile id="74" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="74" duration="300"/>
<frame tileid="410" duration="300"/>
<frame tileid="746" duration="300"/>
<frame tileid="1082" duration="300"/>
</animation>
</tile>
<tile id="75" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="75" duration="300"/>
<frame tileid="411" duration="300"/>
<frame tileid="747" duration="300"/>
<frame tileid="1083" duration="300"/>
</animation>
</tile>
<tile id="76" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="76" duration="300"/>
<frame tileid="412" duration="300"/>
<frame tileid="748" duration="300"/>
<frame tileid="1084" duration="300"/>
</animation>
</tile>
<tile id="77" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="77" duration="300"/>
<frame tileid="413" duration="300"/>
<frame tileid="749" duration="300"/>
<frame tileid="1085" duration="300"/>
</animation>
</tile>
<tile id="78" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="78" duration="300"/>
<frame tileid="414" duration="300"/>
<frame tileid="750" duration="300"/>
<frame tileid="1086" duration="300"/>
</animation>
</tile>
<tile id="79" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="79" duration="300"/>
<frame tileid="415" duration="300"/>
<frame tileid="751" duration="300"/>
<frame tileid="1087" duration="300"/>
</animation>
</tile>
<tile id="80" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="80" duration="300"/>
<frame tileid="416" duration="300"/>
<frame tileid="752" duration="300"/>
<frame tileid="1088" duration="300"/>
</animation>
</tile>
<tile id="81" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="81" duration="300"/>
<frame tileid="417" duration="300"/>
<frame tileid="753" duration="300"/>
<frame tileid="1089" duration="300"/>
</animation>
</tile>
<tile id="82" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="82" duration="300"/>
<frame tileid="418" duration="300"/>
<frame tileid="754" duration="300"/>
<frame tileid="1090" duration="300"/>
</animation>
</tile>
<tile id="83" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="83" duration="300"/>
<frame tileid="419" duration="300"/>
<frame tileid="755" duration="300"/>
<frame tileid="1091" duration="300"/>
</animation>
</tile>
<tile id="84" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="84" duration="300"/>
<frame tileid="420" duration="300"/>
<frame tileid="756" duration="300"/>
<frame tileid="1092" duration="300"/>
</animation>
</tile>
<tile id="85" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="85" duration="300"/>
<frame tileid="421" duration="300"/>
<frame tileid="757" duration="300"/>
<frame tileid="1093" duration="300"/>
</animation>
</tile>
<tile id="86" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="86" duration="300"/>
<frame tileid="422" duration="300"/>
<frame tileid="758" duration="300"/>
<frame tileid="1094" duration="300"/>
</animation>
</tile>
<tile id="87" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="87" duration="300"/>
<frame tileid="423" duration="300"/>
<frame tileid="759" duration="300"/>
<frame tileid="1095" duration="300"/>
</animation>
</tile>
<tile id="88" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="88" duration="300"/>
<frame tileid="424" duration="300"/>
<frame tileid="760" duration="300"/>
<frame tileid="1096" duration="300"/>
</animation>
</tile>
<tile id="89" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="89" duration="300"/>
<frame tileid="425" duration="300"/>
<frame tileid="761" duration="300"/>
<frame tileid="1097" duration="300"/>
</animation>
</tile>
<tile id="90" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="90" duration="300"/>
<frame tileid="426" duration="300"/>
<frame tileid="762" duration="300"/>
<frame tileid="1098" duration="300"/>
</animation>
</tile>
<tile id="91" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="91" duration="300"/>
<frame tileid="427" duration="300"/>
<frame tileid="763" duration="300"/>
<frame tileid="1099" duration="300"/>
</animation>
</tile>
<tile id="92" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="92" duration="300"/>
<frame tileid="428" duration="300"/>
<frame tileid="764" duration="300"/>
<frame tileid="1100" duration="300"/>
</animation>
</tile>
<tile id="93" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="93" duration="300"/>
<frame tileid="429" duration="300"/>
<frame tileid="765" duration="300"/>
<frame tileid="1101" duration="300"/>
</animation>
</tile>
<tile id="94" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="94" duration="300"/>
<frame tileid="430" duration="300"/>
<frame tileid="766" duration="300"/>
<frame tileid="1102" duration="300"/>
</animation>
</tile>
<tile id="95" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="95" duration="300"/>
<frame tileid="431" duration="300"/>
<frame tileid="767" duration="300"/>
<frame tileid="1103" duration="300"/>
</animation>
</tile>
<tile id="96" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="96" duration="300"/>
<frame tileid="432" duration="300"/>
<frame tileid="768" duration="300"/>
<frame tileid="1104" duration="300"/>
</animation>
</tile>
<tile id="97" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="97" duration="300"/>
<frame tileid="433" duration="300"/>
<frame tileid="769" duration="300"/>
<frame tileid="1105" duration="300"/>
</animation>
</tile>
<tile id="98" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="98" duration="300"/>
<frame tileid="434" duration="300"/>
<frame tileid="770" duration="300"/>
<frame tileid="1106" duration="300"/>
</animation>
</tile>
<tile id="99" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="99" duration="300"/>
<frame tileid="435" duration="300"/>
<frame tileid="771" duration="300"/>
<frame tileid="1107" duration="300"/>
</animation>
</tile>
<tile id="100" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="100" duration="300"/>
<frame tileid="436" duration="300"/>
<frame tileid="772" duration="300"/>
<frame tileid="1108" duration="300"/>
</animation>
</tile>
<tile id="101" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="101" duration="300"/>
<frame tileid="437" duration="300"/>
<frame tileid="773" duration="300"/>
<frame tileid="1109" duration="300"/>
</animation>
</tile>
<tile id="102" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="102" duration="300"/>
<frame tileid="438" duration="300"/>
<frame tileid="774" duration="300"/>
<frame tileid="1110" duration="300"/>
</animation>
</tile>
<tile id="103" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="103" duration="300"/>
<frame tileid="439" duration="300"/>
<frame tileid="775" duration="300"/>
<frame tileid="1111" duration="300"/>
</animation>
</tile>
<tile id="104" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="104" duration="300"/>
<frame tileid="440" duration="300"/>
<frame tileid="776" duration="300"/>
<frame tileid="1112" duration="300"/>
</animation>
</tile>
<tile id="105" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="105" duration="300"/>
<frame tileid="441" duration="300"/>
<frame tileid="777" duration="300"/>
<frame tileid="1113" duration="300"/>
</animation>
</tile>
<tile id="106" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="106" duration="300"/>
<frame tileid="442" duration="300"/>
<frame tileid="778" duration="300"/>
<frame tileid="1114" duration="300"/>
</animation>
</tile>
<tile id="107" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="107" duration="300"/>
<frame tileid="443" duration="300"/>
<frame tileid="779" duration="300"/>
<frame tileid="1115" duration="300"/>
</animation>
</tile>
<tile id="108" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="108" duration="300"/>
<frame tileid="444" duration="300"/>
<frame tileid="780" duration="300"/>
<frame tileid="1116" duration="300"/>
</animation>
</tile>
<tile id="109" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="109" duration="300"/>
<frame tileid="445" duration="300"/>
<frame tileid="781" duration="300"/>
<frame tileid="1117" duration="300"/>
</animation>
</tile>
<tile id="110" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="110" duration="300"/>
<frame tileid="446" duration="300"/>
<frame tileid="782" duration="300"/>
<frame tileid="1118" duration="300"/>
</animation>
</tile>
<tile id="111" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="111" duration="300"/>
<frame tileid="447" duration="300"/>
<frame tileid="783" duration="300"/>
<frame tileid="1119" duration="300"/>
</animation>
</tile>
<tile id="112" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="112" duration="300"/>
<frame tileid="448" duration="300"/>
<frame tileid="784" duration="300"/>
<frame tileid="1120" duration="300"/>
</animation>
</tile>
<tile id="113" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="113" duration="300"/>
<frame tileid="449" duration="300"/>
<frame tileid="785" duration="300"/>
<frame tileid="1121" duration="300"/>
</animation>
</tile>
<tile id="114" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="114" duration="300"/>
<frame tileid="450" duration="300"/>
<frame tileid="786" duration="300"/>
<frame tileid="1122" duration="300"/>
</animation>
</tile>
<tile id="115" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="115" duration="300"/>
<frame tileid="451" duration="300"/>
<frame tileid="787" duration="300"/>
<frame tileid="1123" duration="300"/>
</animation>
</tile>
<tile id="116" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="116" duration="300"/>
<frame tileid="452" duration="300"/>
<frame tileid="788" duration="300"/>
<frame tileid="1124" duration="300"/>
</animation>
</tile>
<tile id="117" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="117" duration="300"/>
<frame tileid="453" duration="300"/>
<frame tileid="789" duration="300"/>
<frame tileid="1125" duration="300"/>
</animation>
</tile>
<tile id="118" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="118" duration="300"/>
<frame tileid="454" duration="300"/>
<frame tileid="790" duration="300"/>
<frame tileid="1126" duration="300"/>
</animation>
</tile>
<tile id="119" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="119" duration="300"/>
<frame tileid="455" duration="300"/>
<frame tileid="791" duration="300"/>
<frame tileid="1127" duration="300"/>
</animation>
</tile>
<tile id="120" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="120" duration="300"/>
<frame tileid="456" duration="300"/>
<frame tileid="792" duration="300"/>
<frame tileid="1128" duration="300"/>
</animation>
</tile>
<tile id="121" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="121" duration="300"/>
<frame tileid="457" duration="300"/>
<frame tileid="793" duration="300"/>
<frame tileid="1129" duration="300"/>
</animation>
</tile>
<tile id="122" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="122" duration="300"/>
<frame tileid="458" duration="300"/>
<frame tileid="794" duration="300"/>
<frame tileid="1130" duration="300"/>
</animation>
</tile>
<tile id="123" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="123" duration="300"/>
<frame tileid="459" duration="300"/>
<frame tileid="795" duration="300"/>
<frame tileid="1131" duration="300"/>
</animation>
</tile>
<tile id="124" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="124" duration="300"/>
<frame tileid="460" duration="300"/>
<frame tileid="796" duration="300"/>
<frame tileid="1132" duration="300"/>
</animation>
</tile>
<tile id="125" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="125" duration="300"/>
<frame tileid="461" duration="300"/>
<frame tileid="797" duration="300"/>
<frame tileid="1133" duration="300"/>
</animation>
</tile>
<tile id="126" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="126" duration="300"/>
<frame tileid="462" duration="300"/>
<frame tileid="798" duration="300"/>
<frame tileid="1134" duration="300"/>
</animation>
</tile>
<tile id="127" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="127" duration="300"/>
<frame tileid="463" duration="300"/>
<frame tileid="799" duration="300"/>
<frame tileid="1135" duration="300"/>
</animation>
</tile>
<tile id="128" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="128" duration="300"/>
<frame tileid="464" duration="300"/>
<frame tileid="800" duration="300"/>
<frame tileid="1136" duration="300"/>
</animation>
</tile>
<tile id="129" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="129" duration="300"/>
<frame tileid="465" duration="300"/>
<frame tileid="801" duration="300"/>
<frame tileid="1137" duration="300"/>
</animation>
</tile>
<tile id="130" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="130" duration="300"/>
<frame tileid="466" duration="300"/>
<frame tileid="802" duration="300"/>
<frame tileid="1138" duration="300"/>
</animation>
</tile>
<tile id="131" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="131" duration="300"/>
<frame tileid="467" duration="300"/>
<frame tileid="803" duration="300"/>
<frame tileid="1139" duration="300"/>
</animation>
</tile>
<tile id="132" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="132" duration="300"/>
<frame tileid="468" duration="300"/>
<frame tileid="804" duration="300"/>
<frame tileid="1140" duration="300"/>
</animation>
</tile>
<tile id="133" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="133" duration="300"/>
<frame tileid="469" duration="300"/>
<frame tileid="805" duration="300"/>
<frame tileid="1141" duration="300"/>
</animation>
</tile>
<tile id="134" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="134" duration="300"/>
<frame tileid="470" duration="300"/>
<frame tileid="806" duration="300"/>
<frame tileid="1142" duration="300"/>
</animation>
</tile>
<tile id="135" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="135" duration="300"/>
<frame tileid="471" duration="300"/>
<frame tileid="807" duration="300"/>
<frame tileid="1143" duration="300"/>
</animation>
</tile>
<tile id="136" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="136" duration="300"/>
<frame tileid="472" duration="300"/>
<frame tileid="808" duration="300"/>
<frame tileid="1144" duration="300"/>
</animation>
</tile>
<tile id="137" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="137" duration="300"/>
<frame tileid="473" duration="300"/>
<frame tileid="809" duration="300"/>
<frame tileid="1145" duration="300"/>
</animation>
</tile>
<tile id="138" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="138" duration="300"/>
<frame tileid="474" duration="300"/>
<frame tileid="810" duration="300"/>
<frame tileid="1146" duration="300"/>
</animation>
</tile>
<tile id="139" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="139" duration="300"/>
<frame tileid="475" duration="300"/>
<frame tileid="811" duration="300"/>
<frame tileid="1147" duration="300"/>
</animation>
</tile>
<tile id="140" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="140" duration="300"/>
<frame tileid="476" duration="300"/>
<frame tileid="812" duration="300"/>
<frame tileid="1148" duration="300"/>
</animation>
</tile>
<tile id="141" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="142" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="142" duration="300"/>
<frame tileid="478" duration="300"/>
<frame tileid="814" duration="300"/>
<frame tileid="1150" duration="300"/>
</animation>
</tile>
<tile id="143" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="144" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="144" duration="300"/>
<frame tileid="480" duration="300"/>
<frame tileid="816" duration="300"/>
<frame tileid="1152" duration="300"/>
</animation>
</tile>
<tile id="145" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
<animation>
<frame tileid="145" duration="300"/>
<frame tileid="481" duration="300"/>
<frame tileid="817" duration="300"/>
<frame tileid="1153" duration="300"/>
</animation>
</tile>
<tile id="259" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="272" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="273" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="274" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="275" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="276" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="277" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="278" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="279" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="280" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="281" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="282" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="283" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="284" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="285" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="286" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="287" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="288" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="289" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="290" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="291" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="292" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="293" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="294" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="295" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="296" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="297" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="298" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="299" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="300" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="301" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="302" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="303" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="304" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="305" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="306" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="307" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="308" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="309" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="310" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="311" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="312" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="313" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="314" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="315" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="316" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="317" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="318" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="319" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="320" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="321" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="322" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="323" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<wangsets>
<wangset name="wall" type="edge" tile="1">
<wangcolor name="wall" color="#6a6480" tile="1" probability="1"/>
<wangtile tileid="32" wangid="0,0,0,0,0,0,0,0"/>
<wangtile tileid="33" wangid="1,0,0,0,0,0,0,0"/>
<wangtile tileid="34" wangid="0,0,1,0,0,0,0,0"/>
<wangtile tileid="35" wangid="1,0,1,0,0,0,0,0"/>
<wangtile tileid="36" wangid="0,0,0,0,1,0,0,0"/>
<wangtile tileid="37" wangid="1,0,0,0,1,0,0,0"/>
<wangtile tileid="38" wangid="0,0,1,0,1,0,0,0"/>
<wangtile tileid="39" wangid="1,0,1,0,1,0,0,0"/>
<wangtile tileid="40" wangid="0,0,0,0,0,0,1,0"/>
<wangtile tileid="41" wangid="1,0,0,0,0,0,1,0"/>
<wangtile tileid="42" wangid="0,0,1,0,0,0,1,0"/>
<wangtile tileid="43" wangid="1,0,1,0,0,0,1,0"/>
<wangtile tileid="44" wangid="0,0,0,0,1,0,1,0"/>
<wangtile tileid="45" wangid="1,0,0,0,1,0,1,0"/>
<wangtile tileid="46" wangid="0,0,1,0,1,0,1,0"/>
<wangtile tileid="1" wangid="1,0,1,0,1,0,1,0"/>
</wangset>
<wangset name="water" type="mixed" tile="2">
<wangcolor name="water" color="#3366cc" tile="2" probability="1"/>
<wangtile tileid="48" wangid="0,0,0,0,0,0,0,0"/>
<wangtile tileid="49" wangid="1,0,0,0,0,0,0,0"/>
<wangtile tileid="50" wangid="0,0,1,0,0,0,0,0"/>
<wangtile tileid="51" wangid="1,0,1,0,0,0,0,0"/>
<wangtile tileid="52" wangid="1,1,1,0,0,0,0,0"/>
<wangtile tileid="53" wangid="0,0,0,0,1,0,0,0"/>
<wangtile tileid="54" wangid="1,0,0,0,1,0,0,0"/>
<wangtile tileid="55" wangid="0,0,1,0,1,0,0,0"/>
<wangtile tileid="56" wangid="1,0,1,0,1,0,0,0"/>
<wangtile tileid="57" wangid="1,1,1,0,1,0,0,0"/>
<wangtile tileid="58" wangid="0,0,1,1,1,0,0,0"/>
<wangtile tileid="59" wangid="1,0,1,1,1,0,0,0"/>
<wangtile tileid="60" wangid="1,1,1,1,1,0,0,0"/>
<wangtile tileid="61" wangid="0,0,0,0,0,0,1,0"/>
<wangtile tileid="62" wangid="1,0,0,0,0,0,1,0"/>
<wangtile tileid="63" wangid="0,0,1,0,0,0,1,0"/>
<wangtile tileid="64" wangid="1,0,1,0,0,0,1,0"/>
<wangtile tileid="65" wangid="1,1,1,0,0,0,1,0"/>
<wangtile tileid="66" wangid="0,0,0,0,1,0,1,0"/>
<wangtile tileid="67" wangid="1,0,0,0,1,0,1,0"/>
<wangtile tileid="68" wangid="0,0,1,0,1,0,1,0"/>
<wangtile tileid="69" wangid="1,0,1,0,1,0,1,0"/>
<wangtile tileid="70" wangid="1,1,1,0,1,0,1,0"/>
<wangtile tileid="71" wangid="0,0,1,1,1,0,1,0"/>
<wangtile tileid="72" wangid="1,0,1,1,1,0,1,0"/>
<wangtile tileid="73" wangid="1,1,1,1,1,0,1,0"/>
<wangtile tileid="74" wangid="0,0,0,0,1,1,1,0"/>
<wangtile tileid="75" wangid="1,0,0,0,1,1,1,0"/>
<wangtile tileid="76" wangid="0,0,1,0,1,1,1,0"/>
<wangtile tileid="77" wangid="1,0,1,0,1,1,1,0"/>
<wangtile tileid="78" wangid="1,1,1,0,1,1,1,0"/>
<wangtile tileid="79" wangid="0,0,1,1,1,1,1,0"/>
<wangtile tileid="80" wangid="1,0,1,1,1,1,1,0"/>
<wangtile tileid="81" wangid="1,1,1,1,1,1,1,0"/>
<wangtile tileid="82" wangid="1,0,0,0,0,0,1,1"/>
<wangtile tileid="83" wangid="1,0,1,0,0,0,1,1"/>
<wangtile tileid="84" wangid="1,1,1,0,0,0,1,1"/>
<wangtile tileid="85" wangid="1,0,0,0,1,0,1,1"/>
<wangtile tileid="86" wangid="1,0,1,0,1,0,1,1"/>
<wangtile tileid="87" wangid="1,1,1,0,1,0,1,1"/>
<wangtile tileid="88" wangid="1,0,1,1,1,0,1,1"/>
<wangtile tileid="89" wangid="1,1,1,1,1,0,1,1"/>
<wangtile tileid="90" wangid="1,0,0,0,1,1,1,1"/>
<wangtile tileid="91" wangid="1,0,1,0,1,1,1,1"/>
<wangtile tileid="92" wangid="1,1,1,0,1,1,1,1"/>
<wangtile tileid="93" wangid="1,0,1,1,1,1,1,1"/>
<wangtile tileid="2" wangid="1,1,1,1,1,1,1,1"/>
</wangset>
<wangset name="tree" type="mixed" tile="259">
<wangcolor name="tree" color="#2f7d32" tile="259" probability="1"/>
<wangtile tileid="272" wangid="0,0,0,0,0,0,0,0"/>
<wangtile tileid="273" wangid="1,0,0,0,0,0,0,0"/>
<wangtile tileid="274" wangid="0,0,1,0,0,0,0,0"/>
<wangtile tileid="275" wangid="1,0,1,0,0,0,0,0"/>
<wangtile tileid="276" wangid="1,1,1,0,0,0,0,0"/>
<wangtile tileid="277" wangid="0,0,0,0,1,0,0,0"/>
<wangtile tileid="278" wangid="1,0,0,0,1,0,0,0"/>
<wangtile tileid="279" wangid="0,0,1,0,1,0,0,0"/>
<wangtile tileid="280" wangid="1,0,1,0,1,0,0,0"/>
<wangtile tileid="281" wangid="1,1,1,0,1,0,0,0"/>
<wangtile tileid="282" wangid="0,0,1,1,1,0,0,0"/>
<wangtile tileid="283" wangid="1,0,1,1,1,0,0,0"/>
<wangtile tileid="284" wangid="1,1,1,1,1,0,0,0"/>
<wangtile tileid="285" wangid="0,0,0,0,0,0,1,0"/>
<wangtile tileid="286" wangid="1,0,0,0,0,0,1,0"/>
<wangtile tileid="287" wangid="0,0,1,0,0,0,1,0"/>
<wangtile tileid="288" wangid="1,0,1,0,0,0,1,0"/>
<wangtile tileid="289" wangid="1,1,1,0,0,0,1,0"/>
<wangtile tileid="290" wangid="0,0,0,0,1,0,1,0"/>
<wangtile tileid="291" wangid="1,0,0,0,1,0,1,0"/>
<wangtile tileid="292" wangid="0,0,1,0,1,0,1,0"/>
<wangtile tileid="293" wangid="1,0,1,0,1,0,1,0"/>
<wangtile tileid="294" wangid="1,1,1,0,1,0,1,0"/>
<wangtile tileid="295" wangid="0,0,1,1,1,0,1,0"/>
<wangtile tileid="296" wangid="1,0,1,1,1,0,1,0"/>
<wangtile tileid="297" wangid="1,1,1,1,1,0,1,0"/>
<wangtile tileid="298" wangid="0,0,0,0,1,1,1,0"/>
<wangtile tileid="299" wangid="1,0,0,0,1,1,1,0"/>
<wangtile tileid="300" wangid="0,0,1,0,1,1,1,0"/>
<wangtile tileid="301" wangid="1,0,1,0,1,1,1,0"/>
<wangtile tileid="302" wangid="1,1,1,0,1,1,1,0"/>
<wangtile tileid="303" wangid="0,0,1,1,1,1,1,0"/>
<wangtile tileid="304" wangid="1,0,1,1,1,1,1,0"/>
<wangtile tileid="305" wangid="1,1,1,1,1,1,1,0"/>
<wangtile tileid="306" wangid="1,0,0,0,0,0,1,1"/>
<wangtile tileid="307" wangid="1,0,1,0,0,0,1,1"/>
<wangtile tileid="308" wangid="1,1,1,0,0,0,1,1"/>
<wangtile tileid="309" wangid="1,0,0,0,1,0,1,1"/>
<wangtile tileid="310" wangid="1,0,1,0,1,0,1,1"/>
<wangtile tileid="311" wangid="1,1,1,0,1,0,1,1"/>
<wangtile tileid="312" wangid="1,0,1,1,1,0,1,1"/>
<wangtile tileid="313" wangid="1,1,1,1,1,0,1,1"/>
<wangtile tileid="314" wangid="1,0,0,0,1,1,1,1"/>
<wangtile tileid="315" wangid="1,0,1,0,1,1,1,1"/>
<wangtile tileid="316" wangid="1,1,1,0,1,1,1,1"/>
<wangtile tileid="317" wangid="1,0,1,1,1,1,1,1"/>
<wangtile tileid="259" wangid="1,1,1,1,1,1,1,1"/>
<wangtile tileid="322" wangid="0,0,1,0,0,0,1,0"/>
<wangtile tileid="323" wangid="0,0,1,0,0,0,1,0"/>
<wangtile tileid="320" wangid="1,1,1,0,0,0,1,1"/>
<wangtile tileid="321" wangid="1,1,1,0,0,0,1,1"/>
<wangtile tileid="318" wangid="1,1,1,1,1,1,1,1"/>
<wangtile tileid="319" wangid="1,1,1,1,1,1,1,1"/>
</wangset>
</wangsets>
</tileset>
